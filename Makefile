# Start here: `make run` and `make test` only need Rust and make, and install everything else.

FILE ?=
# Libraries that the program loads at run time.
PACKAGES_WINDOW := libegl1 libgl1 libgl1-mesa-dri libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon0 libxkbcommon-x11-0 libwayland-client0 libwayland-egl1
PACKAGES_RUN := gcc libc6-dev $(PACKAGES_WINDOW)
PACKAGES_TEST := $(PACKAGES_RUN) desktop-file-utils fonts-dejavu-core fonts-lohit-deva fonts-tlwg-loma-ttf fonts-wqy-microhei python3 shared-mime-info shellcheck xvfb
PACKAGES_PYTHON := $(PACKAGES_RUN) python3 python3-venv

# Tests that depend on features: available commands, supported formats, and the backends of `bake`. Cargo builds the program for the test `program`.
TESTS_WITHOUT_FEATURES := $(addprefix --test ,program project files commands)

# Debian 12: what builds for Windows, what the unpacked Cargo needs, and what runs the result.
PACKAGES_WINDOWS := gcc gcc-mingw-w64-x86-64-win32 libcurl4 libsqlite3-0 libssh2-1 libssl3 nsis python3
PACKAGES_WINE := imagemagick wine64 xdotool xvfb
WINDOWS := target/windows

PREFIX ?= $(or $(CARGO_INSTALL_ROOT),$(CARGO_HOME),$(HOME)/.cargo)

VENV := target/python
PYTHON := $(VENV)/bin/python

TOOLS := target/tools
DENY := $(TOOLS)/bin/cargo-deny --config .ci/deny.toml --workspace --locked
SOAK := cargo test --locked --features inspection --test whole -- --ignored --nocapture

.PHONY: run install test test-all test-features lint-features test-without-samples python-module test-python test-fleet wheel package release try-package package-windows test-windows test-blender soak try-card check-dependencies screenshots bench assets setup-run setup-test setup-python setup-windows

## Build and open the window on the built-in character, or on FILE=path
run: setup-run
	cargo run --package rigscope --release --locked -- $(FILE)

## Build `rigscope` and install it in PREFIX/bin, by default in Cargo's folder for programs; print the folder, and whether it is on the PATH
install: setup-run
	cargo install --path . --locked --root "$(PREFIX)"
	@found=$$(command -v rigscope || true); \
	if [ "$$found" -ef "$(PREFIX)/bin/rigscope" ]; then echo "rigscope is in $(PREFIX)/bin, which is on the PATH."; \
	elif [ -n "$$found" ]; then echo "rigscope is in $(PREFIX)/bin, but the PATH finds $$found first. Remove that one, or run: export PATH=\"$(PREFIX)/bin:\$$PATH\""; \
	else echo "rigscope is in $(PREFIX)/bin, which is not on the PATH. Run this, and add it to ~/.profile: export PATH=\"$(PREFIX)/bin:\$$PATH\""; fi

## Check formatting, lints and docs, run every test, then test the Python module
test: export RIGSCOPE_SAMPLES_LOG = $(CURDIR)/target/samples.log
test: setup-test
	rm -f $(RIGSCOPE_SAMPLES_LOG)
	cargo fmt --all --check
	cargo clippy --locked --all-targets --features inspection -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items --features inspection
	cargo test --locked --features inspection --lib
	cargo test --locked --features inspection --test '*'
	cargo test --locked --features inspection --doc
	$(MAKE) test-python

## Everything that CI may run: `make test`, and tests that only some changes need
test-all: test test-features test-without-samples test-fleet

## Lint and test builds with fewer features
test-features: lint-features
	# Few tests, so that optimising our crates takes longer than it saves.
	cargo test --locked --no-default-features $(addprefix --config profile.dev.package.rigscope-,analysis.opt-level=0 core.opt-level=0) \
		$(TESTS_WITHOUT_FEATURES) -- $(addsuffix ::,features info compare bake)

## Lint builds with fewer features
lint-features: setup-test
	cargo clippy --locked --no-default-features --lib --bins $(TESTS_WITHOUT_FEATURES) -- -D warnings
	cargo clippy --locked -p rigscope -p rigscope-python --no-default-features --features rigscope/gl,rigscope-python/gl -- -D warnings

## Run the tests that used samples in the last `make test` again without samples, as in a fresh clone
test-without-samples:
	sh .ci/without-samples target/samples.log --features inspection

## Build the Python module and install it for tests
python-module: setup-python
	# Compiled together with the program and the tests, so that nothing is compiled twice.
	cargo build --locked --features inspection --lib --bins --tests
	packages=$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("platlib"))') && rm -rf "$$packages/rigscope" && cp -R python/package/rigscope "$$packages" && cp target/debug/librigscope_python.so "$$packages/rigscope/_rigscope.abi3.so"

## Test that the Python module agrees with the program
test-python: python-module
	RIGSCOPE=$(CURDIR)/target/debug/rigscope $(PYTHON) -m pytest -q -p no:cacheprovider -n auto python/tests

## Test the fleet example on two workers, with folders and buckets of a local server, while workers and runs are killed
test-fleet: python-module
	$(PYTHON) -m pip install --quiet "duckdb>=1" "moto[server]>=5" "pyarrow>=14" "ray[data]>=2.40"
	$(PYTHON) -m pytest -q -p no:cacheprovider python/examples

## Build the Python wheel, with module and program, in target/wheels
wheel: setup-python
	cargo build --package rigscope --profile packaged --locked
	$(PYTHON) assets/package/make.py wheel --out target/wheels

## Build what people install, in target/dist: Debian package, archive with installer, wheel, Blender add-on, checksums; checks that GLIBC 2.35 is enough and that the program is at most 42 MB
package: setup-python
	cargo build --package rigscope --profile packaged --locked
	$(PYTHON) assets/package/make.py deb archive wheel addon --depends "$(PACKAGES_WINDOW)"

## Check versions, changelog and the packages of `make package`, and write the notes of the release; KEY=SSH key signs the checksums, ADDRESS=URL writes a formula for Homebrew, TAG=yes creates the tag. Uploads nothing
release:
	python3 assets/package/release.py $(if $(KEY),--key "$(KEY)") $(if $(ADDRESS),--address "$(ADDRESS)") $(if $(TAG),--tag)

## As root: test the output of `make package` on an empty Debian, with screenshots in target/tried
try-package:
	@sh .ci/setup debootstrap python3 python3-venv xvfb
	python3 assets/package/try.py

## On Debian 12: build a ZIP archive and an installer for Windows in target/dist; checks that the program needs only DLLs of Windows and is at most 42 MB
package-windows: setup-windows
	python3 assets/package/make_windows.py --tools $(WINDOWS)

## By Wine: compare the program of make package-windows with the one for Linux on real rigs, test the packages and the window, run the tests; writes pictures to target/tried-windows. RIGSCOPE_SAMPLES=folder names the rigs
test-windows: package-windows
	@sh .ci/setup $(PACKAGES_TEST) $(PACKAGES_WINE)
	cargo build --package rigscope --release --locked
	target/release/rigscope convert builtin:tube --quiet -o target/tried-windows/tube.glb
	python3 .ci/windows/compare.py target/release/rigscope $(WINDOWS)/target/x86_64-pc-windows-gnu/packaged/rigscope.exe "$(or $(RIGSCOPE_SAMPLES),../shared/samples)"
	python3 .ci/windows/install.py target/dist/*-windows.zip target/dist/*-windows-setup.exe target/tried-windows/tube.glb
	python3 .ci/windows/tests.py $(WINDOWS)

## Test the Blender add-on in Blender as a Python module (0.35 GB); needs python3.11
test-blender: setup-test
	cargo build --locked --features inspection
	test -x target/blender/bin/python || python3.11 -m venv target/blender
	target/blender/bin/python -m pip install --quiet "bpy==4.2.*" "pytest>=8"
	RIGSCOPE=$(CURDIR)/target/debug/rigscope target/blender/bin/python -m pytest -q -p no:cacheprovider integrations/blender/tests

## Use the program for twenty minutes: ten tasks with screenshots in target/soak, ten minutes of random actions, memory after many files; then test packages, add-on and dependencies as far as possible on this machine
soak: setup-test
	cargo build --locked --features inspection
	$(SOAK) ten_tasks
	$(SOAK) ten_minutes
	$(SOAK) two_hundred_files
	@if [ "$$(id -u)" = 0 ] && ls target/dist/*.deb >/dev/null 2>&1; then $(MAKE) try-package; \
	else echo "Left out: make try-package, which needs root and what make package writes."; fi
	@if python3.11 -c '' 2>/dev/null; then $(MAKE) test-blender; \
	else echo "Left out: make test-blender, which needs python3.11."; fi
	$(MAKE) check-dependencies

## On a machine with a graphics card, in at most four minutes after building: compare its vertices with the processor's, measure frame times, test golden images and the window; RIGSCOPE_SAMPLES=folder adds real rigs
try-card: setup-python
	cargo build --package rigscope --release --locked
	@program=$$(cargo test --locked --features inspection --test pictures --no-run --message-format=json | sed -n 's/.*"executable":"\([^"]*pictures-[^"]*\)".*/\1/p'); \
	$(PYTHON) .ci/try_card.py target/release/rigscope $(if $(RIGSCOPE_SAMPLES),--samples "$(RIGSCOPE_SAMPLES)") --pictures "$$program"

## Check dependencies: licences, sources, duplicate versions and advisories with cargo-deny, unused ones with cargo-machete; installs both in target/tools
check-dependencies: $(TOOLS)/bin/cargo-deny $(TOOLS)/bin/cargo-machete
	$(DENY) check bans licenses sources
	@if $(DENY) fetch db; then $(DENY) check advisories; \
	else echo "Left out: known faults, whose list cannot be had from here."; fi
	$(TOOLS)/bin/cargo-machete

$(TOOLS)/bin/%:
	cargo install --locked --root $(TOOLS) $*

## Create screenshots/ with the real program
screenshots: setup-test
	cargo build --locked --features inspection
	cargo run --package rigscope --locked --features inspection --example make_screenshots

## Run the benchmarks of hot loops and of opening large files
bench: setup-run
	cargo bench --package rigscope --locked --bench skinning --bench animation --bench lint --bench measuring --bench picking --bench posing --bench weighting --bench opening
	cargo bench --package rigscope-io --locked --bench opening_fbx

## Generate the built-in characters and the icons
assets: setup-run
	cargo run --package rigscope --release --locked --example make_assets

setup-run:
	@sh .ci/setup $(PACKAGES_RUN)

setup-test:
	@sh .ci/setup $(PACKAGES_TEST)
	# Reports are tested in a browser if there is one; Ubuntu has it under another name.
	-@sh .ci/setup chromium

setup-python:
	@sh .ci/setup $(PACKAGES_PYTHON)
	test -x $(PYTHON) || python3 -m venv $(VENV)
	$(PYTHON) -m pip install --quiet "auditwheel>=6" "maturin>=1.9,<2" "mypy>=1.10" "numpy>=1.21" "pytest>=8" "pytest-xdist>=3"

setup-windows:
	@sh .ci/setup $(PACKAGES_WINDOWS)
	sh assets/package/windows/toolchain.sh $(WINDOWS)
