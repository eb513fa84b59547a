import { Input, Switch, TextInput } from '@mantine/core'
import { TimeInput } from '../../../../features/core/hours/time-input.tsx'
import { MinutesInput } from '../../../../features/people/settings/minutes-input.tsx'
import type { FormProps } from './form-props.ts'

export const WaitForm = ({ data, onChange, errorOf }: FormProps<'wait'>) => (
  <>
    <Input.Wrapper label="Por quanto tempo" labelElement="div">
      <MinutesInput
        label="Por quanto tempo"
        value={data.minutes}
        onChange={(minutes) => minutes && onChange({ minutes: Math.min(Math.max(minutes, 1), 525_600) })}
      />
    </Input.Wrapper>
    <Switch
      label="Não antes de uma hora do dia"
      checked={data.clock !== null}
      onChange={(event) => onChange({ clock: event.currentTarget.checked ? '08:00' : null })}
    />
    {data.clock !== null && (
      <TimeInput label="Não antes das" value={data.clock} onChange={(clock) => onChange({ clock })} />
    )}
    <TextInput
      label="Ou até este evento"
      description="Um sistema da empresa avisa pela API: pagamento, entrega…"
      placeholder="pagamento_confirmado"
      maxLength={60}
      value={data.event}
      error={errorOf('event')}
      onChange={(event) => onChange({ event: event.currentTarget.value })}
    />
  </>
)
