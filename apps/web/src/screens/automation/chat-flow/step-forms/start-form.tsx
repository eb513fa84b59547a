import { Text } from '@mantine/core'

export const StartForm = () => (
  <Text size="sm" c="dimmed">
    Toda conversa entra por aqui. Por onde o fluxo começa se escolhe no canal, na fila ou em Configurações do fluxo
    (palavras).
  </Text>
)
