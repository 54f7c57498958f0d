//! The fields of the command line as `multipart/form-data`.

/// Named values, in the order they were given.
#[derive(Default)]
pub struct Form(Vec<(String, Vec<u8>)>);

impl Form {
    /// Adds `NAME=VALUE`, `NAME=@FILE` or `NAME=<FILE`.
    pub fn add(&mut self, field: &str) -> Result<(), String> {
        let (name, value) = field.split_once('=').ok_or_else(|| format!("{field}: a field is NAME=VALUE"))?;
        let value = match value.strip_prefix(['@', '<']) {
            Some(file) => std::fs::read(file).map_err(|error| format!("{file}: {error}"))?,
            None => value.as_bytes().to_vec(),
        };
        self.0.push((name.to_owned(), value));
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The form as bytes.
    pub fn body(&self, boundary: &str) -> Vec<u8> {
        let mut body = Vec::new();
        for (name, value) in &self.0 {
            body.extend(
                format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n").into_bytes(),
            );
            body.extend_from_slice(value);
            body.extend_from_slice(b"\r\n");
        }
        body.extend(format!("--{boundary}--\r\n").into_bytes());
        body
    }
}
