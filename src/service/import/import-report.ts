import type { BadLine, ImportCounts } from './import-files.ts'

type Output = { write(text: string): unknown; isTTY?: boolean }

/** Shows a person how an import goes: on a terminal one line that renews itself, elsewhere a line for each event. */
export function createImportReport(output: Output) {
  const startedAt = performance.now()

  return {
    onBadLine({ file, number, problem }: BadLine) {
      writeLine(`${file}:${number}: ${toOneLine(problem)}`)
    },
    onDemoRemoved(count: number) {
      writeLine(`Removed the demo set: ${formatCount(count)} generated records.`)
    },
    onProgress(counts: ImportCounts) {
      if (output.isTTY) output.write(`\r\x1b[K${summarise(counts)}`)
    },
    finish(counts: ImportCounts) {
      writeLine(`Done: ${summarise(counts)}.`)
      if (counts.undated > 0) {
        writeLine(
          `Without a date: ${formatCount(counts.undated)}. They come last in lists and count in no period.`,
        )
      }
    },
  }

  function writeLine(line: string) {
    output.write(`${output.isTTY ? '\r\x1b[K' : ''}${line}\n`)
  }

  function summarise({ added, known, bad }: ImportCounts) {
    const seconds = (performance.now() - startedAt) / 1000
    const rate = Math.round((added + known) / seconds)
    return `${formatCount(added)} added, ${formatCount(known)} known already, ${formatCount(bad)} bad lines, in ${seconds.toFixed(1)} s (${formatCount(rate)} a second)`
  }
}

function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** Reasons quote what criminals wrote: no line breaks and no terminal escapes. */
function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}
