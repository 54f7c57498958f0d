//! Counts each access byte by byte.

use std::collections::BTreeMap;

pub const PAGE_BYTES: u64 = 65536;

/// What happened to one page.
pub struct Page {
    pub initialized_bytes: u64,
    pub reads: u64,
    pub bytes_read: u64,
    pub writes: u64,
    pub bytes_written: u64,
    pub written: Vec<bool>,
}

/// The pages that were touched, and the lowest value of global 0.
#[derive(Default)]
pub struct ByteMap {
    pub pages: BTreeMap<u64, Page>,
    pub lowest_global: Option<u32>,
}

impl ByteMap {
    fn page(&mut self, address: u64) -> &mut Page {
        self.pages.entry(address / PAGE_BYTES).or_insert_with(|| Page {
            initialized_bytes: 0,
            reads: 0,
            bytes_read: 0,
            writes: 0,
            bytes_written: 0,
            written: vec![false; PAGE_BYTES as usize],
        })
    }

    pub fn initialize(&mut self, start: u64, bytes: u64) {
        for address in start..start + bytes {
            self.page(address).initialized_bytes += 1;
        }
    }

    pub fn read(&mut self, start: u64, bytes: u64) {
        for address in start..start + bytes {
            let page = self.page(address);
            page.reads += u64::from(address == start || address % PAGE_BYTES == 0);
            page.bytes_read += 1;
        }
    }

    pub fn write(&mut self, start: u64, bytes: u64) {
        for address in start..start + bytes {
            let page = self.page(address);
            page.writes += u64::from(address == start || address % PAGE_BYTES == 0);
            page.bytes_written += 1;
            page.written[(address % PAGE_BYTES) as usize] = true;
        }
    }

    pub fn global(&mut self, value: u32) {
        self.lowest_global = Some(self.lowest_global.map_or(value, |lowest| lowest.min(value)));
    }
}
