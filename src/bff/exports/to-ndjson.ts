const BATCH_MIN_LENGTH = 64 * 1024

/** Values as JSON, one a line, made no faster than they are taken. */
export function toNdjson(values: AsyncGenerator<unknown>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      let text = ''
      while (text.length < BATCH_MIN_LENGTH) {
        const { value, done } = await values.next()
        if (done) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += `${JSON.stringify(value)}\n`
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await values.return(undefined)
    },
  })
}
