import { Component, type ReactNode } from 'react'
import { ErrorState } from '../ui/error-state.tsx'
import { retryParts } from './lazy-part.ts'
import { isOldVersion } from './old-version.ts'

type Props = {
  children: ReactNode
  /** Another value, and it is tried anew: what fell was about something else. */
  about?: unknown
  /** In its place once it has fallen; a sentence with a way back when not given. */
  fallback?: ReactNode
}

/** What falls inside leaves everything around it standing. */
export class PaneBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Nothing was thrown') }
  }

  override componentDidMount() {
    window.addEventListener('online', this.handleOnline)
  }
  override componentWillUnmount() {
    window.removeEventListener('online', this.handleOnline)
  }
  /** What needed a network comes by itself with it. */
  handleOnline = () => {
    if (isOldVersion(this.state.error)) this.handleRetry()
  }
  handleRetry = () => {
    retryParts()
    this.setState({ error: null })
  }

  override componentDidUpdate(before: Props) {
    if (this.state.error && before.about !== this.props.about) this.setState({ error: null })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    const isOffline = navigator.onLine === false
    if (isOldVersion(error) && !isOffline) throw error // the page knows what to do about it
    if (this.props.fallback !== undefined) return this.props.fallback
    if (isOffline)
      return (
        <ErrorState
          title="Isso só abre com internet"
          message="O resto continua funcionando, e o que você escreveu está guardado."
          onRetry={this.handleRetry}
        />
      )
    return (
      <ErrorState
        title="Esta parte da tela encontrou um problema"
        message="O resto continua funcionando, e o que você já salvou está seguro."
        onRetry={this.handleRetry}
      />
    )
  }
}
