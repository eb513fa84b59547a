import { filledAddress, type Provider } from '@balcao/contract/core/providers/define.ts'
import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Fragment } from 'react'
import { CopyField } from '../../../ui/copy-field.tsx'
import { isPublicAddress } from './public-address.ts'
import classes from './setup-steps.module.css'

/** What has to be done with the provider before saving. */
export const StepsBefore = ({ provider }: { provider: Provider }) => <Steps lines={provider.steps?.before ?? []} />

type Props = { provider: Provider; label: string; values: Record<string, unknown> }
/** After saving: the addresses and codes to take to the provider, and where they go. */
export const StepsAfter = ({ provider, label, values }: Props) => {
  const lines = provider.steps?.after ?? []
  const known = { ...values, origin: window.location.origin }
  const addresses = (provider.addresses ?? []).flatMap(({ value, ...address }) => {
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
