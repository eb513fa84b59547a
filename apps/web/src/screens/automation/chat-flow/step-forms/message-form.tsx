import { rememberFiles, withFile } from '../../../../features/automation/flows/known-files.ts'
import { PartsField } from '../../../../features/conversations/parts/parts-field.tsx'
import type { FormProps } from './form-props.ts'

export const MessageForm = ({ data, onChange, errorOf }: FormProps<'message'>) => (
  <PartsField
    parts={data.parts.map(withFile)}
    onChange={(parts) => {
      rememberFiles(parts.flatMap(({ media }) => media ?? []))
      onChange({ parts: parts.map(({ media: _, ...part }) => part) })
    }}
    errorOf={errorOf}
  />
)
