import { blockedNumberResource } from '@balcao/contract/contacts/blocked-numbers.ts'
import { TextInput } from '@mantine/core'
import { showPhone } from '../../../features/contacts/contacts/phone.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'

export default function BloqueadosScreen() {
  return (
    <ResourceScreen
      resource={blockedNumberResource}
      purpose="O que estes números escrevem não abre atendimento e não avisa ninguém."
      emptyText="Bloqueie aqui quem só manda golpe ou propaganda. O que já foi conversado continua guardado."
      createLabel="Bloquear número"
      rowName={(blocked) => showPhone(blocked.number)}
      toValues={({ number }) => ({ number: showPhone(number) })}
      columns={[
        { key: 'number', width: 220, render: (blocked) => showPhone(blocked.number) },
        { key: 'reason' },
        changedColumn('Alterado'),
      ]}
      fields={(_form, _row, inputOf) => (
        <>
          <TextInput
            {...inputOf('number')}
            description="Com DDD; de outro país, comece com +."
            placeholder="11 98765-4321"
            inputMode="tel"
          />
          <TextInput {...inputOf('reason')} description="Para a equipe se lembrar. O dono do número não vê." />
        </>
      )}
    />
  )
}
