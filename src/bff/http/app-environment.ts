export type BffEnvironment = {
  /** What the server tells of a connection, read through trusted proxies. A request made without a server has none. */
  Bindings: { peerAddress?: string | undefined }
  Variables: { requestId: string }
}
