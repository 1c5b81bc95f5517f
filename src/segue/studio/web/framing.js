// Binary messages of the engine: a header in JSON with arrays behind it; see segue/serve/framing.py for the layout.

const FORMATS = { f4: Float32Array, f8: Float64Array, u2: Uint16Array, u1: Uint8Array, i4: Int32Array };

/**
 * Return the message in a buffer and its arrays by name. The arrays are views of the buffer.
 *
 * @param {ArrayBuffer} buffer
 */
export function unframed(buffer) {
  const length = new DataView(buffer).getUint32(0, true), begin = 4 + length;
  const message = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  /** @type {Record<string, Float32Array | Float64Array | Uint16Array | Uint8Array | Int32Array>} */
  const arrays = {};
  for (const { name, dtype, shape, offset } of message.arrays) {
    const count = shape.reduce((product, size) => product * size, 1);
    arrays[name] = new FORMATS[dtype](buffer, begin + offset, count);
  }
  return { message, arrays };
}
