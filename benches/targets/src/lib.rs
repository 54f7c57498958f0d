//! What all components here share: the exports of QIP's Content contract.

/// Exports the contract around a function `fn(&[u8]) -> Vec<u8>`.
#[macro_export]
macro_rules! component {
    ($render:path) => {
        content_component::export! {
            input: input_bytes_cap = 1 << 20, "application/octet-stream";
            output: output_bytes_cap = 1 << 20, "application/octet-stream";
            modes: 1;
            render: render_all;
        }

        content_component::heap!(8 << 20);

        fn render_all(input: &[u8]) -> Result<Vec<u8>, u32> {
            Ok($render(input))
        }
    };
}

/// The count that an input states: a little-endian u32, or 0 where there is none.
pub fn count(input: &[u8]) -> u32 {
    input.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
