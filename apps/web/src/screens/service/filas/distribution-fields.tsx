import type { WriteOf } from '@balcao/contract/resource.ts'
import {
  type Distribution,
  distributionLabels,
  distributions,
  type queueResource,
} from '@balcao/contract/service/queues.ts'
import { NumberInput, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

const helps: Record<Distribution, string> = {
  none: 'As conversas esperam até alguém da fila aceitar.',
  fewest: 'Vai para a pessoa online com menos conversas.',
  roundRobin: 'Vai para a pessoa online que espera a vez há mais tempo.',
  random: 'Vai para qualquer pessoa online.',
}

/** How waiting conversations find a person, and how long that person has to accept. */
export const DistributionFields = ({ form }: { form: UseFormReturnType<WriteOf<typeof queueResource>> }) => {
  const { distribution, acceptWithin } = form.values
  return (
    <>
      <Select
        label="Distribuição"
        description={`${helps[distribution]}${
          distribution === 'none'
            ? ''
            : ' Fica de fora quem está em pausa ou no limite, e o administrador ou supervisor que não ligou “Receber atendimentos das filas” no seu perfil.'
        }`}
        data={distributions.map((value) => ({ value, label: distributionLabels[value] }))}
        allowDeselect={false}
        {...form.getInputProps('distribution')}
      />
      {distribution !== 'none' && (
        <NumberInput
          label="Tempo para aceitar"
          description="Depois dele, a conversa vai para a próxima pessoa. Vazio: espera por quem recebeu."
          placeholder="Sem limite"
          suffix=" min"
          min={1}
          max={1_440}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('acceptWithin')}
          value={acceptWithin ?? ''}
          onChange={(value) => form.setFieldValue('acceptWithin', value === '' ? null : Number(value))}
        />
      )}
    </>
  )
}
