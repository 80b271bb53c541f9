const DOMAIN =
  /^(?=.{4,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{1,62}$/u

/** The host of a web address as a feed gives it, often junk: nothing where it is no domain name. */
export function readDomain(website: string | undefined): string[] {
  const host = website?.trim().match(/^(?:https?:\/\/)?([^\s/?#:@]+)/iu)?.[1]
  return host !== undefined && DOMAIN.test(host) ? [host.toLowerCase()] : []
}
