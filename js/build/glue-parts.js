// Each stands in the place of what wasm-bindgen writes under the same name; see glue.mjs. The names
// that are not declared here are wasm-bindgen's.

/** Nothing in old workers, where memory is freed by `free` alone. */
const finalizers =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : new FinalizationRegistry((free) => free());

/** An object in Wasm memory: what all classes have in common. */
class Owned {
  /** Takes what a call gives: a pointer, an error, and which of them counts. */
  constructor([pointer, error, isError], free) {
    if (isError) throw takeFromExternrefTable0(error);
    this.__wbg_ptr = pointer;
    this.drop = free;
    finalizers?.register(this, () => free(pointer, 1), this);
  }

  __destroy_into_raw() {
    const pointer = this.__wbg_ptr;
    this.__wbg_ptr = 0;
    finalizers?.unregister(this);
    return pointer;
  }

  free() {
    this.drop(this.__destroy_into_raw(), 0);
  }
}

/** What a call gives: a value, an error, and which of them counts. */
function takeResult(ret) {
  if (ret[2]) throw takeFromExternrefTable0(ret[1]);
  return takeFromExternrefTable0(ret[0]);
}

function takeArrayU8(ret) {
  const array = getArrayU8FromWasm0(ret[0], ret[1]).slice();
  wasm.__wbindgen_free(ret[0], ret[1], 1);
  return array;
}

function takeArrayU32(ret) {
  const array = new Uint32Array(wasm.memory.buffer, ret[0] >>> 0, ret[1]).slice();
  wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
  return array;
}

function getArrayU8FromWasm0(pointer, length) {
  return new Uint8Array(wasm.memory.buffer, pointer >>> 0, length);
}

function getDataViewMemory0() {
  return new DataView(wasm.memory.buffer);
}

function passArray8ToWasm0(bytes) {
  const pointer = wasm.__wbindgen_malloc(bytes.length, 1) >>> 0;
  getArrayU8FromWasm0(pointer, bytes.length).set(bytes);
  WASM_VECTOR_LEN = bytes.length;
  return pointer;
}

function passStringToWasm0(text) {
  const room = text.length * 3;
  const pointer = wasm.__wbindgen_malloc(room, 1) >>> 0;
  const { written } = cachedTextEncoder.encodeInto(text, getArrayU8FromWasm0(pointer, room));
  WASM_VECTOR_LEN = written;
  return written === room ? pointer : wasm.__wbindgen_realloc(pointer, room, written, 1) >>> 0;
}

/** Answers an import with a string, or with none. */
function putString(place, text) {
  const pointer = text === undefined ? 0 : passStringToWasm0(text);
  const view = new DataView(wasm.memory.buffer);
  view.setInt32(place >>> 0, pointer, true);
  view.setInt32((place >>> 0) + 4, WASM_VECTOR_LEN, true);
}

/** One of Safari's decoders fails for good after 2 GB. */
function getStringFromWasm0(pointer, length) {
  numBytesDecoded += length;
  if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {
    cachedTextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
    numBytesDecoded = length;
  }
  return cachedTextDecoder.decode(getArrayU8FromWasm0(pointer, length));
}

/** An import that may throw: what it throws waits where the call can take it. */
function caught(work) {
  return (...args) => {
    try {
      return work(...args);
    } catch (error) {
      wasm.__wbindgen_exn_store(addToExternrefTable0(error));
    }
  };
}

function initSync({ module }) {
  wasm = new WebAssembly.Instance(module, __wbg_get_imports()).exports;
  wasm.__wbindgen_start();
  return { memory: wasm.memory, __stack_pointer: wasm.__stack_pointer };
}
