import type { Campaign, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { campaignVariables } from '@balcao/contract/operations/campaigns/variables.ts'
import { Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  campaign: Campaign
  onChange: (patch: CampaignPatch) => void
  errorOf: (path: string) => ReactNode
}

/** What becomes of whoever lacks the value of a variable: nobody gets a gap. Nothing where no variable is used. */
export const FallbackFields = ({ campaign, onChange, errorOf }: Props) => {
  const { steps, onMissing, fallbacks } = campaign
  const names = campaignVariables(steps)
  if (!names.length) return null
  return (
    <>
      <Select
        label="Quem não tem o dado de uma variável"
        description="Ninguém recebe um texto com uma lacuna."
        maw={360}
        allowDeselect={false}
        data={[
          { value: 'skip', label: 'Fica de fora' },
          { value: 'fallback', label: 'Recebe um texto reserva' },
        ]}
        value={onMissing}
        onChange={(next) => next && onChange({ onMissing: next as Campaign['onMissing'] })}
      />
      {onMissing === 'fallback' &&
        names.map((name) => (
          <TextInput
            key={name}
            label={`No lugar de {{${name}}}`}
            placeholder="Vazio: quem não tem fica de fora"
            maw={360}
            maxLength={200}
            value={fallbacks[name] ?? ''}
            onChange={(event) => onChange({ fallbacks: { ...fallbacks, [name]: event.currentTarget.value } })}
            error={errorOf(`fallbacks.${name}`)}
          />
        ))}
    </>
  )
}
