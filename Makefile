INTERPRET = application/wasm/qip-interpret-memory-page-writes-csv.wasm
MARKDOWN = text/markdown/commonmark.0.31.2.wasm
COMPONENTS = $(INTERPRET) $(MARKDOWN)

# What every component is built from, beside its own sources.
BUILD = Cargo.toml Cargo.lock .cargo/config.toml scripts/wasm-build $(shell find arena -name '*.rs' -o -name '*.toml')

.PHONY: all demo test lint clean

all: qip $(COMPONENTS)

qip: scripts/qip
	scripts/qip

$(INTERPRET): $(BUILD) $(shell find src probe -name '*.rs' -o -name '*.toml')
	scripts/wasm-build qip-interpret qip-interpret-memory-page-writes-csv $@

$(MARKDOWN): $(BUILD) $(shell find text/markdown -name '*.rs' -o -name '*.toml')
	scripts/wasm-build commonmark commonmark $@

# Where the target's memory goes for the README's example.
demo: all
	@./qip run \
	  -F component=@$(MARKDOWN) \
	  -F "input=$$(printf '# Hello\n\nSome *text* with [a link](https://example.com).')" \
	  $(INTERPRET)

test: all
	cargo test --workspace

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

clean:
	rm -f qip $(COMPONENTS)
