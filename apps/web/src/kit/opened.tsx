import { Component, type ReactNode, Suspense } from 'react'
import { notify } from '../ui/notify.ts'
import { retryParts } from './lazy-part.ts'
import { isOldVersion } from './old-version.ts'
import { isConnected } from './socket.ts'

type Props = {
  children: ReactNode
  /** Closes it again. */
  onLost: () => void
}

/**
 * What opens over a screen, its code with it. Where that does not come, as without a network, it says so and closes: the
 * screen below stays as it is.
 */
export class Opened extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Nothing was thrown') }
  }

  override componentDidCatch(error: unknown) {
    if (isOldVersion(error)) notify.info('Isso só abre com internet. O resto continua funcionando.')
    else notify.error('Isso não abriu por um problema nosso. Tente de novo.')
    retryParts()
    this.props.onLost()
    this.setState({ error: null })
  }

  override render() {
    const { error } = this.state
    if (!error) return <Suspense fallback={null}>{this.props.children}</Suspense>
    if (isOldVersion(error) && navigator.onLine !== false && isConnected()) throw error // the page knows what to do about it
    return null
  }
}
