import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isInstalled } from '#test/support/is-installed.ts'
import { writeCaddyfile, writeNginxConf } from '#test/support/proxy-configuration.ts'
import { verdict } from '../support/verdict.ts'

const UNIT = 'deploy/lantern.service'
/** What `systemd-analyze security` calls OK, on its scale from 0 to 10. */
const EXPOSURE_TARGET = 2

type Check = { tool: string; run(folder: string): Promise<string> }

const PORTS = { https: 18_443, http: 18_080, lantern: 4173 }

/** Each tool's own opinion of the file that is for it. */
const CHECKS: readonly Check[] = [
  {
    tool: 'nginx',
    run: async (folder) => {
      await execute('nginx', [
        '-t',
        '-q',
        '-p',
        folder,
        '-e',
        'stderr',
        '-c',
        await writeNginxConf(folder, PORTS),
      ])
      return 'nginx -t'
    },
  },
  {
    tool: 'caddy',
    run: async (folder) => {
      const file = await writeCaddyfile(folder, PORTS)
      for (const words of [
        ['--config', 'deploy/Caddyfile'],
        ['--config', file],
      ]) {
        await execute('caddy', ['validate', '--adapter', 'caddyfile', ...words])
      }
      return 'caddy validate'
    },
  },
  { tool: 'systemd-analyze', run: checkUnit },
  { tool: 'docker-compose', run: checkCompose },
]

/** Whether the examples of `deploy` are what their programs take. */
export async function proveDeployFiles(): Promise<void> {
  console.log('\nFiles of deploy, by the programs that they are for')
  for (const { tool, run } of CHECKS) {
    if (!(await isInstalled(tool))) {
      console.log(`  not installed: ${tool}`)
      continue
    }
    const folder = await mkdtemp(join(tmpdir(), 'lantern-deploy-'))
    try {
      console.log(`  ${await run(folder).then((what) => `${verdict(true)} ${what}`, describeFailure)}`)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}

/** The unit names paths of an installation, which are not here. */
async function checkUnit(folder: string): Promise<string> {
  const file = join(folder, 'lantern.service')
  const unit = await readFile(UNIT, 'utf8')
  await writeFile(file, unit.replaceAll('/opt/lantern', process.cwd()))
  const { stderr } = await execute('systemd-analyze', ['verify', file])
  if (stderr.includes('lantern.service')) throw new Error(stderr)
  await copyFile(UNIT, file)
  const { stdout } = await execute('systemd-analyze', ['security', '--offline=yes', '--no-pager', file])
  const exposure = Number(/Overall exposure level[^:]*: ([\d.]+)/.exec(stdout)?.[1])
  if (!(exposure <= EXPOSURE_TARGET))
    throw new Error(`its exposure is ${exposure}, more than ${EXPOSURE_TARGET}`)
  return `systemd-analyze verify; security: ${exposure} of 10 (at most ${EXPOSURE_TARGET})`
}

/** Of compose 1 too, which knows all of the file but its project's name; no image is asked for. */
async function checkCompose(folder: string): Promise<string> {
  const file = join(folder, 'compose.yaml')
  const text = await readFile('deploy/compose.yaml', 'utf8')
  await writeFile(file, text.replace(/^name: .*$/m, ''))
  const asked = [...text.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name]) => name)
  await writeFile(join(folder, '.env'), asked.map((name) => `${name}=given`).join('\n'))
  await execute('docker-compose', ['-f', file, 'config', '-q'], { cwd: folder })
  return 'docker-compose config'
}

function describeFailure(error: unknown): string {
  process.exitCode = 1
  return `${verdict(false)} ${error instanceof Error ? error.message : error}`
}

const execute = promisify(execFile)
