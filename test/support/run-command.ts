import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs a command of `src/commands` in a process of its own, with this environment and no other. */
export function runCommand(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const main = fileURLToPath(new URL(`../../src/commands/${name}.ts`, import.meta.url))
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr })
    })
  })
}
