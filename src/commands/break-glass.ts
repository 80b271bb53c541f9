import { BREAK_GLASS_USAGE, breakGlass, readBreakGlassCommand } from '#start/break-glass.ts'
import { runCommandLine } from '#start/run-command.ts'
import { loadSettings } from '../settings/settings.ts'

await runCommandLine({
  name: 'break-glass',
  usage: BREAK_GLASS_USAGE,
  read: readBreakGlassCommand,
  run(command) {
    return breakGlass(loadSettings(), command, { print: console.log, notify: console.error })
  },
})
