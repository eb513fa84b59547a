import { filledAddress, type Provider } from '@balcao/contract/core/providers/define.ts'
import { isShown, stepsOf } from '@balcao/contract/core/providers/fields.ts'
import { isPublicAddress } from '@balcao/contract/core/public-address.ts'
import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Fragment } from 'react'
import { CopyField } from '../../../ui/copy-field.tsx'
import classes from './setup-steps.module.css'

type Values = Record<string, unknown>
/** What has to be done with the provider before saving. */
export const StepsBefore = ({ provider, values }: { provider: Provider; values: Values }) => (
  <Steps lines={stepsOf(provider.steps?.before, values)} />
)

type Props = { provider: Provider; label: string; values: Values }
/** After saving: the addresses and codes to take to the provider, and where they go. */
export const StepsAfter = ({ provider, label, values }: Props) => {
  const lines = stepsOf(provider.steps?.after, values)
  const known = { ...values, origin: window.location.origin }
  const addresses = (provider.addresses ?? []).flatMap(({ value, shownWhen, ...address }) => {
    if (!isShown({ shownWhen }, values)) return []
    const filled = filledAddress(value, known)
    return filled === undefined ? [] : [{ ...address, value: filled }]
  })
  if (lines.length + addresses.length === 0) return null
  return (
    <section className={classes.box} aria-label={label}>
      <Stack gap="sm">
        {addresses.map((address) => (
          <Fragment key={address.label}>
            <CopyField label={address.label} value={address.value} multiline={address.multiline} />
            {address.unreachable && !isPublicAddress(address.value) && (
              <Alert color="amber" p="sm" icon={<IconAlertTriangle size={18} />}>
                {address.unreachable}
              </Alert>
            )}
          </Fragment>
        ))}
        <Steps lines={lines} />
      </Stack>
    </section>
  )
}

const Steps = ({ lines }: { lines: readonly string[] }) =>
  lines.length > 0 && (
    <Text size="sm" c="dimmed" component="ol" className={classes.steps}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Text>
  )
