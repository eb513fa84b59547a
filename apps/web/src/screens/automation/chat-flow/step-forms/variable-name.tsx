import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useContext } from 'react'
import { VariablesHere } from '../../../../features/contacts/variables/use-variables.ts'

type Props = Omit<AutocompleteProps, 'value' | 'onChange' | 'data'> & {
  value: string
  onChange: (name: string) => void
}

/** The name of a variable of this flow: one that is known, or a new one. */
export const VariableName = ({ value, onChange, ...rest }: Props) => (
  <Autocomplete
    placeholder="nome_da_variavel"
    maxLength={40}
    spellCheck={false}
    autoCapitalize="none"
    // What stands there already would only lie over the field below.
    data={[...new Set(useContext(VariablesHere).map(({ name }) => name.replace(/^var\./, '')))].filter(
      (name) => name !== value,
    )}
    value={value}
    // As it can be called in a text: no accents, blanks or marks.
    onChange={(typed) =>
      onChange(
        typed
          .normalize('NFD')
          .replace(/\p{M}/gu, '')
          .replace(/[^\w]+/g, '_')
          .replace(/^[^a-z]+/i, ''),
      )
    }
    {...rest}
  />
)
