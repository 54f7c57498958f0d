INTERPRET = application/wasm/qip-interpret-memory-page-writes-csv.wasm
# Built from the same library: the counts by function too, the target's output, and rejections in words.
INTERPRETERS = $(INTERPRET) $(patsubst %,application/wasm/%.wasm,\
  qip-interpret-memory-page-functions-csv qip-content-interpreter qip-interpret-explain)
EXPLAIN = application/wasm/qip-interpret-explain.wasm
MARKDOWN = text/markdown/commonmark.0.31.2.wasm
PICTURE = text/csv/qip-memory-page-writes-csv-to-svg.wasm
MANDELBROT = $(patsubst %,image/bmp/%.wasm,mandelbrot mandelbrot-by-sweeps)
PNG = $(patsubst %,image/png/%.wasm,png-to-bmp png-to-bmp-by-frame)
WORD_COUNTS = text/plain/word-counts.wasm
# Two of those without optimisation, for tests.
DEBUG = $(patsubst %,target/debug-builds/%.wasm,mandelbrot word-counts)
COMPONENTS = $(INTERPRETERS) $(MARKDOWN) $(PICTURE) $(MANDELBROT) $(PNG) $(WORD_COUNTS)
# The interpreter as a wasm32 module for the test suite to drive.
GUEST = tests/wast/guest.wasm
REAL_MODULES = tests/it/real_modules/node_modules/.package-lock.json
# What the interpreter is measured on and beside.
BENCH = target/bench
BENCH_TARGETS = $(patsubst %,$(BENCH)/%.wasm,sha256 sort nbody bulk vector)
WASMI = $(BENCH)/wasmi-loop.wasm $(BENCH)/wasmi-tail.wasm

# The README's input.
EXAMPLE = $$(printf '\# Hello\n\nSome *text* with [a link](https://example.com).')

# What every component is built from, beside its own sources.
BUILD = Cargo.toml Cargo.lock .cargo/config.toml scripts/wasm-build $(shell find arena -name '*.rs' -o -name '*.toml')
# What those are built from that take the contract's exports from component/, and those are all but the guest of the test suite.
CONTENT = $(BUILD) $(shell find component probe/Cargo.toml probe/src -name '*.rs' -o -name '*.toml')

.PHONY: all help demo report probe test test-wast adversarial bench bench-growth bench-probe bench-start repeat fuzz lint clean

# What a command lacks is said before anything is built: $(call needs,TARGET,WHETHER IT IS THERE,WHAT TO SAY).
needs = $(if $(filter $1,$(MAKECMDGOALS)),$(if $(strip $2),,$(error $3)))
$(call needs,report,$(COMPONENT),usage: make report COMPONENT=FILE [INPUT=FILE] [BUDGET=N])
$(call needs,test-wast,$(WAST),usage: make test-wast WAST=FILE_OR_FOLDER)
$(call needs,lint,$(shell command -v cargo || :),cargo is missing: install Rust 1.95 or later)
$(call needs,test,$(wildcard $(REAL_MODULES))$(shell command -v npm || :),npm is missing: install Node.js 20 or later with npm)

## make                builds ./qip, the host, and all components
all: qip $(COMPONENTS)

## make help           prints this
help:
	@sed -n 's/^## //p' Makefile

qip: | scripts/qip
	scripts/qip

$(INTERPRETERS): application/wasm/%.wasm: $(CONTENT) $(shell find application/wasm loader machine src -name '*.rs' -o -name '*.toml')
	scripts/wasm-build interpreters $* $@ +simd128

# What the README runs it on.
$(INTERPRET): | $(MARKDOWN)

$(GUEST): $(BUILD) $(shell find loader machine src tests/wast/guest -name '*.rs' -o -name '*.toml')
	scripts/wasm-build wast-guest wast-guest $@ +simd128

$(MARKDOWN): $(CONTENT) $(shell find text/markdown -name '*.rs' -o -name '*.toml')
	scripts/wasm-build commonmark commonmark $@

$(PICTURE): $(CONTENT) $(shell find text/csv -name '*.rs' -o -name '*.toml')
	scripts/wasm-build page-csv-to-svg qip-memory-page-writes-csv-to-svg $@

$(MANDELBROT): image/bmp/%.wasm: $(CONTENT) $(shell find image/bmp -name '*.rs' -o -name '*.toml')
	scripts/wasm-build mandelbrot $* $@

$(PNG): image/png/%.wasm: $(CONTENT) $(shell find image/png -name '*.rs' -o -name '*.toml')
	scripts/wasm-build png-to-bmp $* $@ +simd128

# In 16 pages: the stack, the constants and input, and what the program needs.
$(WORD_COUNTS): text/plain/word-counts.c scripts/c-build
	scripts/c-build $< $@ 1048576

target/debug-builds/mandelbrot.wasm: $(MANDELBROT)
	PROFILE=dev WASM_OPT=none scripts/wasm-build mandelbrot mandelbrot $@

target/debug-builds/word-counts.wasm: $(WORD_COUNTS)
	scripts/c-build text/plain/word-counts.c $@ 1048576 -O0

$(BENCH_TARGETS): $(BENCH)/%.wasm: $(CONTENT) $(shell find benches/targets -name '*.rs' -o -name '*.toml')
	scripts/wasm-build bench-targets $* $@ $(if $(filter vector,$*),+simd128)

# wasmi is built for speed alone, in the form that is fastest in Wasmtime and in the one that is fastest in V8. The second is
# written in a language feature that compilers do not call stable yet.
WASMI_BUILD = WASM_OPT=none scripts/wasm-build wasmi-guest wasmi-guest
FOR_SPEED = --config profile.release.package.wasmparser.opt-level=3

$(WASMI): $(BUILD) $(shell find benches/wasmi-guest -name '*.rs' -o -name '*.toml')
$(BENCH)/wasmi-loop.wasm:
	$(WASMI_BUILD) $@ +simd128 $(FOR_SPEED) --features wasmi-guest/loop-dispatch
$(BENCH)/wasmi-tail.wasm:
	RUSTC_BOOTSTRAP=1 $(WASMI_BUILD) $@ +simd128,+tail-call $(FOR_SPEED) --features wasmi-guest/tail-dispatch

## make demo           prints the report for the README's example
demo: qip $(INTERPRET) $(MARKDOWN)
	@./qip run \
	  -F component=@$(MARKDOWN) \
	  -F "input=$(EXAMPLE)" \
	  $(INTERPRET)

## make docs/pages.svg  draws the picture at the top of the README anew
docs/pages.svg: qip $(INTERPRET) $(MARKDOWN) $(PICTURE)
	./qip run -F component=@$(MARKDOWN) -F "input=$(EXAMPLE)" $(INTERPRET) $(PICTURE) -o $@

## make report COMPONENT=FILE [INPUT=FILE] [BUDGET=N]
##                     prints the report for your own, or why there is none, and writes its picture, pages.svg
# The shell takes the names from its environment, where make puts them as they are, apostrophes and all.
report: qip $(INTERPRET) $(EXPLAIN) $(PICTURE)
	@mkdir -p target
	@run() { ./qip run -F "component=@$$COMPONENT" $${INPUT:+-F "input=@$$INPUT"} "$$@" \
	    $${BUDGET:+-u "instruction_budget=$$BUDGET"}; }; \
	  run -o target/report.csv $(INTERPRET) || { run $(EXPLAIN); exit 1; }
	@cat target/report.csv
	@./qip run -i target/report.csv -o pages.svg $(PICTURE)

## make probe          prints what the interpreter allocates for the README's example
probe: $(INTERPRET) $(MARKDOWN)
	@cargo run -q -p probe-report -- --name "README's example" \
	  -F component=@$(MARKDOWN) -F "input=$(EXAMPLE)" $(INTERPRET)

## make test           runs all tests, some 10 minutes
test: all $(DEBUG) $(GUEST) $(REAL_MODULES)
	MAKEFLAGS= cargo test --workspace --no-fail-fast

## make test-wast WAST=FILE_OR_FOLDER
##                     runs scripts of the official suite's form
test-wast: $(GUEST)
	WAST="$(abspath $(WAST))" cargo test --test wast -- --nocapture

## make -s adversarial prints what requests that are made to harm take, and honest ones, for docs/adversarial.csv
adversarial: $(INTERPRETERS) $(MARKDOWN) $(BENCH_TARGETS)
	@echo group,case,request_bytes,budget,answer,offset,ms,peak_bytes
	@ADVERSARIAL=1 cargo test --test it adversarial -- --nocapture --test-threads=1 | grep '^[a-z0-9]*,"'

## make repeat [REQUESTS=N]
##                     renders 100,000 requests of all kinds, or N, on one instance, and each kind on a fresh one
repeat: $(INTERPRET)
	REQUESTS=$${REQUESTS:-100000} cargo test --test it one_instance_answers -- --nocapture

## make fuzz [MODULES=N] [SEED=N]
##                     compares random modules with a second engine, on and on or N of them, from number SEED on
fuzz:
	SEED=$${SEED:-$$(date +%s)000000} MODULES=$${MODULES:-1000000000} cargo test --test differential -- --nocapture

## make fuzz-requests, fuzz-modules, fuzz-component, fuzz-verifier [FLAGS=...]
##                     runs a target of libFuzzer on and on (fuzz/README.md); FLAGS are its own, as -runs=1000000
FUZZERS = $(addprefix fuzz-,requests modules component verifier)
.PHONY: $(FUZZERS)
$(FUZZERS): fuzz-%: $(INTERPRET)
	fuzz/run $* $(FLAGS)

# Modules that nobody here wrote, for tests to run. Only the WebAssembly in these packages is used; no script of theirs runs.
$(REAL_MODULES): tests/it/real_modules/package.json tests/it/real_modules/package-lock.json
	cd tests/it/real_modules && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

## make bench [HOST=wasmtime|v8] [ARTIFACT="FILE..."]
##                     measures speed beside wasmi and the target alone (benches/README.md), in one host or all; of these
##                     artifacts of ours beside each other and the target alone
bench: qip $(INTERPRET) $(MARKDOWN) $(BENCH_TARGETS) $(if $(ARTIFACT),,$(WASMI))
	cargo run -q -p bench -- $(HOST:%=--%) $(if $(ARTIFACT),ours $(ARTIFACT))

## make bench-start [ARTIFACT="FILE..."]
##                     measures from Enter to the report: `qip run`, compilation, first calls in V8
bench-start: qip $(INTERPRET) $(MARKDOWN) $(WORD_COUNTS) $(BENCH_TARGETS)
	cargo run -q -p bench -- start $(or $(ARTIFACT),$(INTERPRET))

## make bench-probe    measures what the allocator probe costs: file sizes, and run times beside each other
bench-probe: $(INTERPRET) $(MARKDOWN) $(BENCH_TARGETS) $(BENCH)/without-probe.wasm
	wc -c $(INTERPRET) $(BENCH)/without-probe.wasm
	cargo run -q -p bench -- $(HOST:%=--%) ours $(INTERPRET) $(BENCH)/without-probe.wasm

$(BENCH)/without-probe.wasm: $(INTERPRET)
	scripts/wasm-build interpreters qip-interpret-memory-page-writes-csv $@ +simd128 --features interpreters/without-probe

## make bench-growth   measures how time and memory grow with the size of the input and of the module
bench-growth: $(INTERPRET) $(MARKDOWN)
	cargo run -q -p bench -- growth

## make lint           checks formatting and runs Clippy; warnings are errors
lint:
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	cargo clippy --workspace --all-targets -- -D warnings
	@if [ -d "$$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib" ]; then set -x; \
	  cargo clippy -p interpreters -p commonmark -p mandelbrot -p page-csv-to-svg -p png-to-bmp -p wast-guest --bins --target wasm32-unknown-unknown --features component -- -D warnings; \
	fi

## make clean          removes ./qip and the components
clean:
	rm -f qip $(COMPONENTS) $(GUEST)
