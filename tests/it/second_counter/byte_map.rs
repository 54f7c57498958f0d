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

/// The accesses of a run, and the same by the index of the function that made them.
#[derive(Default)]
pub struct ByteMaps {
    pub all: ByteMap,
    pub by_function: BTreeMap<u32, ByteMap>,
}

impl ByteMaps {
    /// Counts an access of a function in both.
    pub fn count(&mut self, count: fn(&mut ByteMap, u64, u64), function: u32, start: u64, bytes: u64) {
        count(&mut self.all, start, bytes);
        count(self.by_function.entry(function).or_default(), start, bytes);
    }

    /// By page: what each function that touched it did, in the order of the report.
    pub fn touches(&self) -> Vec<(u64, u32, &Page)> {
        let pages =
            self.by_function.iter().flat_map(|(&function, map)| map.pages.iter().map(move |page| (function, page)));
        let mut touches: Vec<_> = pages.map(|(function, (&index, page))| (index, function, page)).collect();
        touches.sort_by_key(|&(index, function, page)| {
            (index, std::cmp::Reverse(page.bytes_read + page.bytes_written), function)
        });
        touches
    }
}

impl Page {
    /// Bytes written at least once.
    pub fn distinct_bytes_written(&self) -> u64 {
        self.written.iter().filter(|&&written| written).count() as u64
    }
}
