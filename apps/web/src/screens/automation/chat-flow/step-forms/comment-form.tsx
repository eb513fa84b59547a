import { Textarea } from '@mantine/core'
import type { FormProps } from './form-props.ts'

export const CommentForm = ({ data, onChange }: FormProps<'comment'>) => (
  <Textarea
    label="Comentário"
    autosize
    minRows={4}
    maxLength={2_000}
    value={data.text}
    onChange={(event) => onChange({ text: event.currentTarget.value })}
  />
)
