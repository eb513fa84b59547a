import { readyFlows } from '@balcao/contract/automation/flows/gallery/index.ts'
import { UnstyledButton } from '@mantine/core'
import classes from './flow-list.module.css'

type Props = { value: string | null; onChange: (key: string | null, name: string) => void }

/** What a new flow begins with: nothing, or a ready one of a trade, to be changed at will. */
export const GalleryField = ({ value, onChange }: Props) => {
  const choices = [
    { key: null, name: '', trade: 'Em branco', description: 'Um quadro só com o início, para montar do seu jeito.' },
    ...readyFlows,
  ]
  return (
    <div role="radiogroup" aria-label="Começar com" className={classes.gallery}>
      <span className={classes.legend} aria-hidden>
        Começar com
      </span>
      {choices.map(({ key, name, trade, description }) => (
        <UnstyledButton
          key={key ?? ''}
          role="radio"
          aria-checked={value === key}
          className={classes.model}
          onClick={() => onChange(key, name)}
        >
          <strong>{trade}</strong>
          <span className={classes.meta}>{description}</span>
        </UnstyledButton>
      ))}
    </div>
  )
}
