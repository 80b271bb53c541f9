export type BffEnvironment = {
  /** What the server tells of a connection. A request made without a server has none. */
  Bindings: { peerAddress?: string | undefined }
  Variables: { requestId: string }
}
