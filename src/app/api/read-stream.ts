/** A body as text, part by part, until its end or the signal. */
export async function* readStream(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const reader = body?.getReader()
  const cancel = () => reader?.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel, { once: true })
  const decoder = new TextDecoder()
  try {
    // By hand: not every browser of ours can iterate over a stream.
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      yield decoder.decode(part.value, { stream: true })
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    await cancel()
  }
}
