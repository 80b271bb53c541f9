/**
 * All that a program of ours is given of an environment: our own holds the vendor's key and the admin's password. On
 * Windows, Node's process library adds what no program starts without there, such as SystemRoot.
 */
export const CHILD_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C', TZ: 'UTC' }
