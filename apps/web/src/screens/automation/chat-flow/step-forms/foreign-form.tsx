import { Text, Textarea } from '@mantine/core'
import type { FormProps } from './form-props.ts'

export const ForeignForm = ({ data }: FormProps<'foreign'>) => (
  <>
    <Text size="sm" c="dimmed">
      Veio de outro sistema ({data.type || 'tipo desconhecido'}) e não existe aqui: a conversa passa por ele sem parar.
      Troque por um passo daqui ou remova.
    </Text>
    {data.text && <Textarea label="O que havia" readOnly autosize value={data.text} />}
  </>
)
