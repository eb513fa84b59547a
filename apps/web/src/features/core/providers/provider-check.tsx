import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../../kit/api-error.ts'

type Props = {
  /** What is known of it: its state, in words. */
  children: ReactNode
  test: UseMutationResult<{ ok: boolean; text: string }, Error, string>
  id: string
  /** Something typed is not saved yet: what would be tried is not what one sees. */
  dirty: boolean
  disabled?: boolean
  /** What else can be done about it. */
  actions?: ReactNode
  /** What went wrong with that. */
  problem?: Error | null
}

/** The state of something with credentials, and the button that tries it. */
export const ProviderCheck = ({ children, test, id, dirty, disabled = false, actions, problem }: Props) => {
  const error = test.error ?? problem
  return (
    <Alert variant="default" p="sm">
      {children}
      <Group gap="xs" mt="xs">
        {actions}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          loading={test.isPending}
          disabled={dirty || disabled}
          onClick={() => test.mutate(id)}
        >
          Testar
        </Button>
      </Group>
      {dirty && (
        <Text size="xs" c="dimmed" mt={4}>
          Salve para testar.
        </Text>
      )}
      {test.data && !dirty && (
        <Text size="sm" mt="xs" role="status" c={test.data.ok ? undefined : 'var(--mantine-color-error)'}>
          Testado agora.<VisuallyHidden> {test.data.text}</VisuallyHidden>
        </Text>
      )}
      {error && (
        <Text size="sm" mt="xs" role="alert" c="var(--mantine-color-error)">
          {messageOf(error)}
        </Text>
      )}
    </Alert>
  )
}
