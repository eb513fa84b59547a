import { Select, TextInput } from '@mantine/core'
import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import { NumberField } from '../../../../ui/number-field.tsx'
import { FieldSet } from './field-set.tsx'
import type { FormProps } from './form-props.ts'
import { VariableName } from './variable-name.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const HttpForm = ({ data, onChange, errorOf }: FormProps<'http'>) => (
  <>
    <Select
      label="Método"
      data={[...methods]}
      allowDeselect={false}
      value={data.method}
      onChange={(method) => onChange({ method: method as typeof data.method })} // one of those offered
    />
    <VariableTextarea
      label="Endereço"
      placeholder="https://api.suaempresa.com.br/pedidos/{{var.pedido}}"
      minRows={1}
      spellCheck={false}
      maxLength={2_000}
      value={data.url}
      error={errorOf('url')}
      onChange={(url) => onChange({ url })}
    />
    <FieldSet
      legend="Cabeçalhos"
      what="o cabeçalho"
      addLabel="Adicionar cabeçalho"
      most={30}
      rows={data.headers}
      blank={() => ({ name: '', value: '' })}
      onChange={(headers) => onChange({ headers })}
    >
      {(header, change, at) => (
        <>
          <TextInput
            aria-label={`Nome do cabeçalho ${at + 1}`}
            placeholder="Authorization"
            maxLength={100}
            value={header.name}
            error={errorOf(`headers.${at}.name`)}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Valor do cabeçalho ${at + 1}`}
            maxLength={2_000}
            value={header.value}
            error={errorOf(`headers.${at}.value`)}
            onChange={(event) => change({ value: event.currentTarget.value })}
          />
        </>
      )}
    </FieldSet>
    {data.method !== 'GET' && (
      <VariableTextarea
        label="Corpo"
        description="Vazio: a conversa, o contato e as variáveis, em JSON."
        minRows={3}
        spellCheck={false}
        maxLength={20_000}
        value={data.body}
        error={errorOf('body')}
        onChange={(body) => onChange({ body })}
      />
    )}
    <FieldSet
      legend="O que guardar da resposta"
      what="o valor"
      addLabel="Guardar um valor"
      most={20}
      rows={data.saves}
      blank={() => ({ path: '', name: '' })}
      onChange={(saves) => onChange({ saves })}
    >
      {(save, change, at) => (
        <>
          <TextInput
            aria-label={`Caminho do valor ${at + 1}`}
            placeholder="pedido.itens.0.nome"
            maxLength={200}
            spellCheck={false}
            value={save.path}
            error={errorOf(`saves.${at}.path`)}
            onChange={(event) => change({ path: event.currentTarget.value })}
          />
          <VariableName
            aria-label={`Variável do valor ${at + 1}`}
            value={save.name}
            error={errorOf(`saves.${at}.name`)}
            onChange={(name) => change({ name })}
          />
        </>
      )}
    </FieldSet>
    <NumberField
      label="Esperar pela resposta (segundos)"
      min={0.5}
      max={60}
      decimalScale={1}
      decimalSeparator=","
      clampBehavior="blur"
      value={data.timeoutMs / 1_000}
      onChange={(seconds) => seconds >= 0.5 && seconds <= 60 && onChange({ timeoutMs: Math.round(seconds * 1_000) })}
    />
    <NumberField
      label="Tentar de novo"
      description="Quantas vezes, se não responder."
      min={0}
      max={5}
      allowDecimal={false}
      clampBehavior="strict"
      value={data.retries}
      onChange={(retries) => onChange({ retries })}
    />
    {data.retries > 0 && (
      <NumberField
        label="Entre as tentativas (segundos)"
        min={0}
        max={600}
        allowDecimal={false}
        clampBehavior="strict"
        value={Math.round(data.retryDelayMs / 1_000)}
        onChange={(seconds) => onChange({ retryDelayMs: seconds * 1_000 })}
      />
    )}
  </>
)
