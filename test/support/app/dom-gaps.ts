// What browsers have and jsdom lacks, as far as the app leans on it.

HTMLDialogElement.prototype.showModal ??= function showModal() {
  this.setAttribute('open', '')
}

HTMLDialogElement.prototype.close ??= function close() {
  if (!this.hasAttribute('open')) return
  this.removeAttribute('open')
  this.dispatchEvent(new Event('close'))
}

/** For the one query of the app: whether the window is narrower than so many rem. */
globalThis.matchMedia ??= (media) => {
  const rem = Number(/^\(width < ([\d.]+)rem\)$/.exec(media)?.[1])
  return Object.assign(new EventTarget(), {
    media,
    matches: innerWidth < rem * 16,
    onchange: null,
    addListener() {},
    removeListener() {},
  })
}

/** Nothing has a size there, so that none changes after the first. */
globalThis.ResizeObserver ??= class {
  readonly #notify: ResizeObserverCallback
  constructor(notify: ResizeObserverCallback) {
    this.#notify = notify
  }
  observe() {
    queueMicrotask(() => this.#notify([], this))
  }
  unobserve() {}
  disconnect() {}
}

const openPopovers = new Set<HTMLElement>()

HTMLElement.prototype.showPopover ??= function showPopover() {
  toggle(this, true)
}

HTMLElement.prototype.hidePopover ??= function hidePopover() {
  toggle(this, false)
}

HTMLElement.prototype.togglePopover ??= function togglePopover() {
  const isOpen = !openPopovers.has(this)
  toggle(this, isOpen)
  return isOpen
}

function toggle(popover: HTMLElement, isOpen: boolean) {
  const states = {
    oldState: isOpen ? 'closed' : 'open',
    newState: isOpen ? 'open' : 'closed',
  }
  popover.dispatchEvent(Object.assign(new Event('beforetoggle'), states))
  // jsdom's own style sheet hides popovers and knows no :popover-open.
  popover.style.display = isOpen ? 'block' : ''
  if (isOpen) openPopovers.add(popover)
  else openPopovers.delete(popover)
  setTimeout(() => popover.dispatchEvent(Object.assign(new Event('toggle'), states)))
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const id = target.closest('[popovertarget]')?.getAttribute('popovertarget')
  if (id) document.getElementById(id)?.togglePopover()
})

document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') for (const popover of openPopovers) popover.hidePopover()
})

window.scrollTo = () => {}
Element.prototype.scrollIntoView ??= () => {}
