import type { Duplex } from 'node:stream'

/** Resolves when the stream emits the event; rejects when it fails or closes first. Leaves no listener behind. */
export function nextEvent(stream: Duplex, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => (): void => {
      stream.off(event, onEvent)
      stream.off('error', onError)
      stream.off('close', onClose)
      finish()
    }
    const onEvent = settle(resolve)
    const onError = (error: Error): void => settle(() => reject(error))()
    const onClose = settle(() =>
      reject(Object.assign(new Error('the other side closed the connection'), { code: 'ECONNRESET' })),
    )
    stream.on(event, onEvent)
    stream.on('error', onError)
    stream.on('close', onClose)
  })
}
