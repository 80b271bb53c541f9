/** `newer`: the server has another build than this page. `broken`: it has the same, and a part of it cannot be had. */
export type AppBuild = 'same' | 'newer' | 'broken'

let build: AppBuild = 'same'
const listeners = new Set<() => void>()

export function readBuild(): AppBuild {
  return build
}

export function subscribeToBuild(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

/** Looks whether the server's page still begins with the script that this one began with. */
export async function noteBuild({ isPartLost = false } = {}): Promise<void> {
  const isNewer = await isOtherBuild()
  const found = isNewer ? 'newer' : isPartLost ? 'broken' : 'same'
  if (found === 'same' || found === build) return
  build = found
  for (const onChange of listeners) onChange()
}

async function isOtherBuild(): Promise<boolean> {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src')
  if (!script) return false
  try {
    const response = await fetch('/', { cache: 'no-store' })
    return response.ok && !(await response.text()).includes(script)
  } catch {
    return false
  }
}
