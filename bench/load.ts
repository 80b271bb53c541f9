import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Load = { requestsPerSecond: number; failures: number }

/** Keeps 64 connections busy with wrk, which leaves the second core to the server. */
export async function loadWith(url: string, headers: Record<string, string>, seconds: number): Promise<Load> {
  const headerArguments = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('wrk', ['-t1', '-c64', `-d${seconds}s`, ...headerArguments, url])
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]
  if (!rate) throw new Error(`wrk told no rate:\n${stdout}`)
  const failures = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1]
  return { requestsPerSecond: Number(rate), failures: Number(failures ?? 0) }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
