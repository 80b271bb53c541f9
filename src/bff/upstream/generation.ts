/**
 * Gives the value that was made for the current generation. Whoever has an older one goes on with that: what they add
 * to it is found by nobody else.
 */
export function perGeneration<Generation, T>(
  generation: () => Generation,
  create: (generation: Generation) => T,
): () => T {
  let made: { of: Generation; value: T } | null = null
  return () => {
    const of = generation()
    if (!made || made.of !== of) made = { of, value: create(of) }
    return made.value
  }
}
