/**
 * Gives what was made for the generation that holds now. Whoever has taken an older one goes on with that: what they add
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
