import { useSearchParams } from 'react-router'
import { RedeemForm } from './redeem-form.tsx'
import { SetupForm } from './setup-form.tsx'

/** The first-run and recovery door (ruling 13): a setup link, or a one-time support code. */
export default function MasterkeyScreen() {
  const [search] = useSearchParams()
  const tokenSetup = search.get('tokenSetup')
  return tokenSetup ? <SetupForm tokenSetup={tokenSetup} /> : <RedeemForm code={search.get('code') ?? ''} />
}
