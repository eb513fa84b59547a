import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { setupStateQuery } from './account-api.ts'
import { RedeemForm } from './redeem-form.tsx'
import { SetupForm } from './setup-form.tsx'
import { AlreadyInstalled, MissingLink } from './setup-link.tsx'

/** The first-run and recovery door: a setup link, or a one-time support code. */
export default function MasterkeyScreen() {
  const [search] = useSearchParams()
  const code = search.get('code')
  const tokenSetup = search.get('tokenSetup') ?? undefined
  const state = useQuery({ ...setupStateQuery(tokenSetup), enabled: code === null })
  if (code !== null) return <RedeemForm code={code} />
  if (state.isPending) return null
  const { isInstalled, isUsable } = state.data ?? { isInstalled: true, isUsable: true } // not known: the form itself is answered
  if (!isInstalled && !isUsable) return <MissingLink isRefused={tokenSetup !== undefined} />
  if (!tokenSetup) return <RedeemForm code="" />
  return isUsable ? <SetupForm tokenSetup={tokenSetup} /> : <AlreadyInstalled />
}
