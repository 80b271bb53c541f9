const BATCH_MIN_LENGTH = 64 * 1024

/**
 * Values as JSON, one a line, made no faster than they are taken. What breaks them off is told to `onError` alone: whoever
 * reads them sees that they broke off.
 */
export function toNdjson(
  values: AsyncGenerator<unknown>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()

  async function nextBatch(): Promise<{ text: string; isLast: boolean }> {
    let text = ''
    while (text.length < BATCH_MIN_LENGTH) {
      const { value, done } = await values.next()
      if (done) return { text, isLast: true }
      text += `${JSON.stringify(value)}\n`
    }
    return { text, isLast: false }
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { text, isLast } = await nextBatch().catch((error: unknown) => {
        onError(error)
        throw new Error('The rest could not be read')
      })
      if (text !== '') controller.enqueue(encoder.encode(text))
      if (isLast) controller.close()
    },
    async cancel() {
      await values.return(undefined)
    },
  })
}
