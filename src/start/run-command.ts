import { SettingsError } from '#settings.ts'
import { UnopenedError } from './service-database.ts'

type Usage = {
  text: string
  /** Thrown for a command line that is not understood. */
  Mistake: new (
    message: string,
  ) => Error
}

/** Runs a command to its end. The process exits with 0 when all went well, 1 when not, 2 for a wrong usage. */
export async function runCommand(run: () => Promise<boolean>, { text, Mistake }: Usage): Promise<void> {
  try {
    process.exitCode = (await run()) ? 0 : 1
  } catch (error) {
    if (error instanceof Mistake) {
      console.error(`${error.message}\n\n${text}`)
      process.exitCode = 2
    } else if (error instanceof SettingsError || error instanceof UnopenedError) {
      console.error(error.message)
      process.exitCode = 1
    } else {
      throw error
    }
  }
}
