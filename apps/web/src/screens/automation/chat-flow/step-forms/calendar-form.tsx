import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import { RowSelect } from '../../../../features/service/actions/row-select.tsx'
import { NumberField } from '../../../../ui/number-field.tsx'
import { AccountSelect } from './account-select.tsx'
import type { FormProps } from './form-props.ts'
import { VariableName } from './variable-name.tsx'

type Numbers = 'minutes' | 'days' | 'noticeHours' | 'offers'
const numbers: { name: Numbers; label: string; min: number; max: number }[] = [
  { name: 'minutes', label: 'Duração (minutos)', min: 10, max: 480 },
  { name: 'days', label: 'Oferecer os próximos dias', min: 1, max: 60 },
  { name: 'noticeHours', label: 'Antecedência mínima (horas)', min: 0, max: 720 },
  { name: 'offers', label: 'Horários por vez', min: 1, max: 10 },
]

export const CalendarForm = ({ data, onChange, errorOf }: FormProps<'calendar'>) => (
  <>
    <AccountSelect
      of="calendars"
      label="Agenda"
      description="Uma agenda autorizada em Configurações, Google Agenda."
      nothingFoundMessage="Nenhuma agenda. Conecte uma em Google Agenda."
      value={data.calendarId}
      error={errorOf('calendarId')}
      onChange={(calendarId) => onChange({ calendarId })}
    />
    <VariableTextarea
      label="Pergunta"
      minRows={2}
      maxLength={1_000}
      value={data.body}
      error={errorOf('body')}
      onChange={(body) => onChange({ body })}
    />
    {numbers.map(({ name, label, min, max }) => (
      <NumberField
        key={name}
        label={label}
        min={min}
        max={max}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="blur"
        value={data[name]}
        error={errorOf(name)}
        onChange={(value) => value >= min && value <= max && onChange({ [name]: value })}
      />
    ))}
    <RowSelect
      names="queues"
      label="Dentro do horário da fila"
      placeholder="A fila da conversa, ou a empresa"
      value={data.queueId}
      error={errorOf('queueId')}
      onChange={(queueId) => onChange({ queueId })}
    />
    <VariableTextarea
      label="Título do evento"
      minRows={1}
      maxLength={200}
      value={data.title}
      error={errorOf('title')}
      onChange={(title) => onChange({ title })}
    />
    <VariableTextarea
      label="Descrição do evento"
      minRows={2}
      maxLength={2_000}
      value={data.description}
      error={errorOf('description')}
      onChange={(description) => onChange({ description })}
    />
    <VariableName
      label="Guardar o horário em"
      description="Como “qui 27/11, 14:30”. Depois use como {{var.nome}}."
      value={data.variable}
      error={errorOf('variable')}
      onChange={(variable) => onChange({ variable })}
    />
  </>
)
