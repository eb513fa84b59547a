import { roleResource } from '@balcao/contract/people/roles.ts'
import { permissionsOf } from '@balcao/contract/permissions.ts'
import { Button, Group, Input, TextInput } from '@mantine/core'
import { asGranted } from '../../../features/people/roles/rights.ts'
import { RightsField } from '../../../features/people/roles/rights-field.tsx'
import { profileLabels } from '../../../features/people/users/profiles.ts'
import { formatNumber } from '../../../kit/format.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'

const starts = ['user', 'super', 'admin'] as const

/** The profiles a company makes, beside the three that everybody has. */
export default function PerfisScreen() {
  return (
    <ResourceScreen
      resource={roleResource}
      purpose="O que cada função pode fazer, além de Atendente, Supervisor e Administrador, que já existem."
      emptyText="Crie um perfil para quem faz só uma parte do trabalho, como avaliar a qualidade ou cuidar dos contatos."
      newValues={{ permissions: [] }}
      columns={[
        { key: 'name' },
        {
          key: 'usersCount',
          width: 120,
          align: 'right',
          render: (role) => <span className="tabular">{formatNumber(role.usersCount)}</span>,
        },
        changedColumn('Alterado'),
      ]}
      fields={(form, role, inputOf) => (
        <>
          {!role && (
            <Input.Wrapper label="Começar como" labelElement="div">
              <Group gap="xs" mt={6}>
                {starts.map((profile) => (
                  <Button
                    key={profile}
                    size="xs"
                    variant="default"
                    onClick={() => form.setFieldValue('permissions', asGranted(permissionsOf[profile]))}
                  >
                    {profileLabels[profile].name}
                  </Button>
                ))}
              </Group>
            </Input.Wrapper>
          )}
          <TextInput {...inputOf('name')} />
          <RightsField
            label="Permissões"
            description="Quem tem este perfil pode fazer o que estiver marcado, e nada mais."
            {...form.getInputProps('permissions')}
          />
        </>
      )}
    />
  )
}
