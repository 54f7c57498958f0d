//! Writes multipart requests.

/// The boundary that every component which takes a form declares, after `uuid-`.
pub const UUID: &[u8; 36] = b"00000000-0000-0000-0000-000000000000";

/// A request that is being written, and where its parts lie.
#[derive(Clone)]
pub struct Form {
    /// The boundary between the parts.
    written: [u8; 36],
    /// The boundary that the tool is told.
    boundary: [u8; 36],
    parts: Vec<u8>,
    offsets: Vec<(String, u32)>,
}

impl Default for Form {
    fn default() -> Self {
        Self::new()
    }
}

impl Form {
    /// A form without parts.
    pub fn new() -> Self {
        Self::with_boundary(UUID)
    }

    /// A form without parts whose boundary is `uuid-<boundary>`.
    pub fn with_boundary(boundary: &[u8; 36]) -> Self {
        Self { written: *boundary, boundary: *boundary, parts: Vec::new(), offsets: Vec::new() }
    }

    /// A form with a `component` part.
    pub fn component(wasm: &[u8]) -> Self {
        Self::new().part("component", wasm)
    }

    /// Adds the `input` part.
    pub fn input(self, bytes: &[u8]) -> Self {
        self.part("input", bytes)
    }

    /// Adds the `uniforms[<key>]` part.
    pub fn uniform(self, key: &str, value: &str) -> Self {
        self.part(&format!("uniforms[{key}]"), value.as_bytes())
    }

    /// Adds a part of any name.
    pub fn part(mut self, name: &str, body: &[u8]) -> Self {
        self.delimiter();
        let header = format!("\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        self.parts.extend_from_slice(header.as_bytes());
        self.offsets.push((name.to_owned(), self.parts.len() as u32));
        self.parts.extend_from_slice(body);
        self.parts.extend_from_slice(b"\r\n");
        self
    }

    /// The offset in the request of the first byte in the first part of this name.
    pub fn offset_of(&self, name: &str) -> u32 {
        let found = self.offsets.iter().find(|(part, _)| part == name);
        found.unwrap_or_else(|| panic!("the form has a part {name}")).1
    }

    /// Tells the tool another boundary than the one in the body.
    pub fn announced_as(mut self, boundary: &[u8; 36]) -> Self {
        self.boundary = *boundary;
        self
    }

    /// The boundary that the tool is told.
    pub fn boundary(&self) -> &[u8; 36] {
        &self.boundary
    }

    /// The request.
    pub fn body(&self) -> Vec<u8> {
        let mut form = self.clone();
        form.delimiter();
        form.parts.extend_from_slice(b"--\r\n");
        form.parts
    }

    fn delimiter(&mut self) {
        self.parts.extend_from_slice(b"--uuid-");
        self.parts.extend_from_slice(&self.written);
    }
}
