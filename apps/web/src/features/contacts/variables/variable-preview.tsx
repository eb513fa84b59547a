import { fillVariables, unknownVariables, type VariableContext } from '@balcao/contract/variables.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { useSampleContext } from './sample.ts'
import classes from './variable-preview.module.css'

type Props = {
  text: string
  label?: string
  /** Of a real contact; a sample one's when not given. */
  values?: VariableContext
}

/** A text as the customer would read it; what stands for nothing is named. */
export const VariablePreview = ({ text, label = 'Prévia', values }: Props) => {
  const sample = useSampleContext()
  const unknown = unknownVariables(text)
  return (
    <section className={classes.preview} aria-label={label}>
      <div className={classes.label}>{label}</div>
      <div className={classes.bubble} data-empty={!text.trim()}>
        {text.trim() ? (
          <UserText text={fillVariables(text, values ?? sample)} />
        ) : (
          'A mensagem aparece aqui enquanto você escreve.'
        )}
      </div>
      {unknown.length > 0 && (
        <p className={classes.unknown} role="alert">
          {unknown.length === 1 ? 'Variável desconhecida' : 'Variáveis desconhecidas'}:{' '}
          {unknown.map((name) => `{{${name}}}`).join(', ')}. O cliente receberia um espaço vazio.
        </p>
      )}
    </section>
  )
}
