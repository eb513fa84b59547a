import { Input, SegmentedControl, TagsInput, TextInput } from '@mantine/core'
import { blankOption } from '../../../../features/automation/flows/edits.ts'
import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import { FieldSet } from './field-set.tsx'
import type { FormProps } from './form-props.ts'
import { VariableName } from './variable-name.tsx'

export const MenuForm = ({ data, onChange, errorOf }: FormProps<'menu'>) => (
  <>
    <VariableTextarea
      label="Texto"
      minRows={3}
      maxLength={4_000}
      value={data.body}
      error={errorOf('body')}
      onChange={(body) => onChange({ body })}
    />
    <Input.Wrapper
      label="Como as opções aparecem"
      labelElement="div"
      description="Onde o canal não leva botões ou lista, vão numeradas no texto."
      error={errorOf('style')}
    >
      <SegmentedControl
        fullWidth
        mt={6}
        aria-label="Como as opções aparecem"
        data={[
          { value: 'buttons', label: 'Botões' },
          { value: 'list', label: 'Lista' },
          { value: 'text', label: 'Numeradas' },
        ]}
        value={data.style}
        onChange={(style) => onChange({ style: style as typeof data.style })} // one of those offered
      />
    </Input.Wrapper>
    {data.style === 'list' && (
      <TextInput
        label="Botão que abre a lista"
        placeholder="Ver opções"
        maxLength={20}
        value={data.button}
        error={errorOf('button')}
        onChange={(event) => onChange({ button: event.currentTarget.value })}
      />
    )}
    <FieldSet
      legend="Opções"
      what="a opção"
      addLabel="Adicionar opção"
      most={20}
      rows={data.options}
      blank={blankOption}
      onChange={(options) => onChange({ options })}
    >
      {(option, change, at) => (
        <>
          <TextInput
            aria-label={`Opção ${at + 1}`}
            placeholder={`Opção ${at + 1}`}
            maxLength={60}
            value={option.title}
            error={errorOf(`options.${at}.title`)}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          {data.style === 'list' && (
            <TextInput
              aria-label={`Descrição da opção ${at + 1}`}
              placeholder="Descrição (opcional)"
              maxLength={72}
              value={option.description}
              error={errorOf(`options.${at}.description`)}
              onChange={(event) => change({ description: event.currentTarget.value })}
            />
          )}
          <TagsInput
            aria-label={`Outras palavras da opção ${at + 1}`}
            placeholder={option.words.length ? undefined : 'Outras palavras que valem'}
            maxTags={20}
            acceptValueOnBlur
            value={option.words}
            onChange={(words) => change({ words: words.map((word) => word.slice(0, 60)) })}
          />
        </>
      )}
    </FieldSet>
    {errorOf('options') && <Input.Error role="alert">{errorOf('options')}</Input.Error>}
    <VariableName
      label="Guardar a escolha em"
      description="Opcional. Depois use como {{var.nome}}."
      value={data.variable}
      error={errorOf('variable')}
      onChange={(variable) => onChange({ variable })}
    />
  </>
)
