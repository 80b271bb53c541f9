// The sign-in page works without this file. With it links open by themselves, passkeys can be used, and an empty field is
// named at once. `src/bff/accounts/sign-in-page` writes the page.

const next = document.querySelector('[data-go]')
// Also where somebody pastes a link into the address of a page that is open.
addEventListener('hashchange', openLink)
if (!openLink()) {
  if (next instanceof HTMLFormElement) next.submit()
  else if (next) location.replace(next.href)
}

/** Whether the address holds a link, which is opened then. */
function openLink() {
  const form = document.querySelector('form[data-link]')
  if (!form || !/^#(link|password)=./.test(location.hash)) return false
  form.elements.link.value = location.hash.slice(1)
  // A reload must not try it twice, and nobody should find it in the history.
  history.replaceState(null, '', location.pathname + location.search)
  form.submit()
  return true
}

for (const form of document.querySelectorAll('form[novalidate]')) {
  form.addEventListener('submit', (event) => {
    const fields = [...form.querySelectorAll('[data-missing]')]
    for (const field of fields) mark(field, isFilled(field) ? '' : field.dataset.missing)
    const first = fields.find((field) => !isFilled(field))
    if (!first) return
    event.preventDefault()
    first.focus()
  })
}

function isFilled(field) {
  return field.type === 'email' ? /^\s*\S+@\S+\s*$/.test(field.value) : field.value.trim() !== ''
}

function mark(field, reason) {
  const note = document.getElementById(`${field.id}-note`)
  if (reason !== '') field.setAttribute('aria-invalid', 'true')
  else if (field.hasAttribute('aria-invalid')) field.removeAttribute('aria-invalid')
  else return
  note.className = reason === '' ? '' : 'fault'
  note.textContent = reason
}

for (const wait of document.querySelectorAll('[data-until]')) {
  const until = Date.now() + Number(wait.dataset.until) * 1000
  const timer = setInterval(() => {
    const seconds = Math.ceil((until - Date.now()) / 1000)
    wait.textContent = seconds > 0 ? `Try again in ${seconds} s.` : 'Try again now.'
    if (seconds <= 0) clearInterval(timer)
  }, 500)
}

const passkeyForm = document.querySelector('form[data-passkey]')
if (passkeyForm && 'PublicKeyCredential' in window) {
  passkeyForm.hidden = false
  const button = passkeyForm.querySelector('button')
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      passkeyForm.elements.passkey.value = JSON.stringify(await askPasskey())
      passkeyForm.submit()
    } catch (error) {
      say(...(error.words ?? WORDS[error.name] ?? WORDS_ELSE))
      button.disabled = false
    }
  })
}

/** Browsers say little: that somebody cancelled, or that time was over, has one name. */
const WORDS = {
  NotAllowedError: ['No passkey was used', 'It was cancelled, or took too long. Try again.'],
  SecurityError: [
    'Passkeys do not work at this address',
    'Open Lantern by the address that your admin gave you.',
  ],
  TypeError: ['Lantern is not answering', 'Check your connection, then try again.'],
}
const WORDS_ELSE = ['The browser could not use a passkey', 'Try again, or use another way.']

async function askPasskey() {
  const answer = await fetch('/bff/sign-in/second-step/passkey', {
    method: 'POST',
    headers: { 'x-lantern': '1' },
    redirect: 'error',
  })
  const { challenge, allowCredentials = [], ...options } = await answer.json()
  if (!answer.ok) throw { words: [options.title, options.detail] }
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: toBytes(challenge),
      allowCredentials: allowCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
    },
  })
  const { id, rawId, type, response } = credential
  return {
    id,
    rawId: toText(rawId),
    type,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      ...(response.userHandle?.byteLength > 0 && { userHandle: toText(response.userHandle) }),
    },
    clientExtensionResults: credential.getClientExtensionResults(),
  }
}

function toBytes(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function toText(buffer) {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** In place of what was said before. */
function say(title, detail) {
  document.querySelector('.alert')?.remove()
  const alert = document.createElement('div')
  alert.className = 'alert'
  alert.role = 'alert'
  for (const text of [title, detail])
    alert.append(Object.assign(document.createElement('p'), { textContent: text }))
  document.querySelector('.card').prepend(alert)
}
