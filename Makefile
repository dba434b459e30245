# make run        packages, release build, manifests/ applied to a new state
# make test       packages, the whole test suite
# make faults     hundreds of kills at random moments, thousands of flipped bits
# make bench      speed beside its floors; CASE=… SIZE=1M|100k|10k PAIRS=5
# make fuzz       libFuzzer on all that reads input from outside; TARGET=… TIME=60 (seconds a target)
# make sanitize   parts of the test suite with the address and the thread sanitizer
# make soak       processes at random on one state, a file and a server; SEED=1 TIME=120 (seconds each)
# make lint       format and style of all Swift sources
# make generate   what is made from the program: docs/reference.md, docs/schemas, man/, completions/, the tables of
#                 docs/diagnostics.md and docs/operations.md, the tour's output and the exit codes in README.md
# make install    the release build to $(DESTDIR)$(PREFIX)/bin, manual pages and completions beside it
# make docs       the documentation of CircleKit, as a site in .build/docs
# make clean      removes .build

PREFIX ?= /usr/local
SWIFT ?= swift
JOBS ?= $(shell nproc)

# The C compiler of the Swift toolchain: a machine that builds the product needs no other.
CLANG := $(firstword $(wildcard $(dir $(realpath $(shell command -v $(SWIFT))))clang) clang)

release := .build/release/circlectl
run := .build/run
bench := .build/bench

.PHONY: run test faults bench fuzz sanitize soak lint generate install docs clean packages build floors

run: packages build
	@rm -rf $(run) && mkdir -p $(run)
	$(release) apply manifests --state $(run)/circle.db --yes
	@echo
	@echo 'The state is $(run)/circle.db. Apply once more, and nothing changes:'
	@echo '  $(release) apply manifests --state $(run)/circle.db'

test: packages
	$(SWIFT) test --disable-xctest -j $(JOBS)

faults: packages
	CIRCLE_KILLS=200 CIRCLE_FLIPS=20000 $(SWIFT) test --disable-xctest -j $(JOBS) --filter 'KillTests|DamageTests'

bench: packages build floors
	@Benchmarks/with-server $(bench)/bench --product $(release) --work $(bench) --size $(or $(SIZE),1M) --pairs $(or $(PAIRS),5) $(CASE)

# Whatever breaks a target is written beside its seeds: the tests fail until it is mended, and then go on to replay it.
fuzz: packages
	FUZZ=1 $(SWIFT) build -c release --sanitize=fuzzer --product fuzz --scratch-path .build/fuzz -Xswiftc -enable-testing -j $(JOBS)
	@Tests/FuzzTests/fuzz $(or $(TIME),60) $(TARGET)

sanitize: packages
	Tests/sanitize address
	Tests/sanitize thread

soak: packages
	CIRCLE_SOAK_SECONDS=$(or $(TIME),120) CIRCLE_SOAK_SEED=$(or $(SEED),1) \
	  $(SWIFT) test --disable-xctest -j $(JOBS) --filter SoakTests

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

generate: packages
	CIRCLE_RECORD=1 $(SWIFT) test --disable-xctest -j $(JOBS) --filter DocumentTests

install: packages build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(release) $(DESTDIR)$(PREFIX)/bin/circlectl
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -D -m 644 completions/circlectl.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/circlectl
	install -D -m 644 completions/_circlectl $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_circlectl
	install -D -m 644 completions/circlectl.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/circlectl.fish

docs: packages
	.ci/docc .build/docs

clean:
	rm -rf .build

packages:
	@.ci/packages

# Release builds carry the Swift runtime: the program runs where no toolchain is.
build:
	$(SWIFT) build -c release --static-swift-stdlib --product circlectl -j $(JOBS)

floors: $(bench)/hello $(bench)/floors $(bench)/generate $(bench)/bench

cflags := -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror

$(bench)/hello: Benchmarks/hello.c
$(bench)/floors: Benchmarks/floors.c Benchmarks/shape.h
$(bench)/floors: libraries := -lyaml -lsqlite3
$(bench)/generate: Benchmarks/generate.c Benchmarks/shape.h
$(bench)/bench: Benchmarks/bench.c Benchmarks/process.c Benchmarks/process.h Benchmarks/table.c Benchmarks/table.h

$(bench)/%:
	@mkdir -p $(bench)
	$(CLANG) $(cflags) -o $@ $(filter %.c,$^) $(libraries)
