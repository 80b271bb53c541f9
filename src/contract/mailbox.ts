/** Returns the same text for all spellings of an address. Mail servers ignore letter case, in the local part too. */
export function mailboxOf(address: string): string {
  return address.toLowerCase()
}

/** Leaves out addresses whose mailbox an earlier one has. */
export function distinctMailboxes(addresses: readonly string[]): string[] {
  return addresses.filter((address, at) => !isRepeated(address, addresses.slice(0, at)))
}

/** Returns true if one of the addresses before has the same mailbox. */
export function isRepeated(address: string, before: readonly string[]): boolean {
  return before.some((other) => mailboxOf(other) === mailboxOf(address))
}
