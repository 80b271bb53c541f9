type Ranked = { label: string; words?: string | undefined }

/** Returns the commands that contain every word, the closest first, or all of them without a word. */
export function rankCommands<T extends Ranked>(commands: readonly T[], query: string, max: number): T[] {
  const words = fold(query).split(' ').filter(Boolean)
  return commands
    .map((command) => ({ command, rank: rankOf(command, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, max)
    .map(({ command }) => command)
}

/** 0 where a word is missing; a word's beginning counts more than its middle, the label more than other words, and all of either most. */
function rankOf({ label, words: others = '' }: Ranked, words: readonly string[]): number {
  const [own, other] = [fold(label), fold(others)]
  let rank = [own, other].includes(words.join(' ')) ? 32 : 1
  for (const word of words) {
    if (own.startsWith(word)) rank += 8
    else if (own.includes(` ${word}`)) rank += 4
    else if (` ${other}`.includes(` ${word}`)) rank += 2
    else if (own.includes(word)) rank += 1
    else return 0
  }
  return rank
}

/** One spelling for all that differ in case and accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
