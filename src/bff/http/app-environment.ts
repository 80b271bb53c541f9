export type BffEnvironment = {
  /** The facts of a connection, read through trusted proxies. Undefined for a request made without a server. */
  Bindings: { peerAddress?: string | undefined }
  Variables: { requestId: string }
}
