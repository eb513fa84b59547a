import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { isOldVersion } from '../kit/old-version.ts'
import { ErrorState } from '../ui/error-state.tsx'

const reloadedKey = 'balcao-reloaded-at'

/** A screen that broke. When its code is gone because a new version is out, one reload brings it back. */
export const RouteError = () => {
  const error = useRouteError()
  const isOld = isOldVersion(error)
  useEffect(() => {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
    if (!isOld || !navigator.onLine || Date.now() - last < 60_000) return
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    window.location.reload()
  }, [isOld])
  return (
    <ErrorState
      title="Esta tela encontrou um problema"
      message="O que você já salvou está seguro. Recarregue para continuar."
      onRetry={() => window.location.reload()}
    />
  )
}
