import {
  createContext,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useId,
  useState,
} from 'react';
import { ApiError } from '../api/client';
import styles from './fields.module.css';

/** What is filled in, and the attributes of the field for each part of it, by its name in the API. */
export function useForm<Values extends object>(start: Values) {
  const [form, setForm] = useState(start);
  const change = (changes: Partial<Values>) => setForm((before) => ({ ...before, ...changes }));
  const field = <Part extends keyof Values & string>(part: Part, name: string = part) => {
    return { name, value: form[part], onChange: (value: Values[Part]) => change({ [part]: value } as object) };
  };
  return { form, change, field };
}

/** The error of the form around a field: the field that its `param` names shows it. */
const FormError = createContext<unknown>(null);

interface FormProps {
  error: unknown;
  onSubmit: () => unknown;
  children: ReactNode;
}

export interface Sender {
  isPending: boolean;
  error: unknown;
  mutate: () => void;
}

/** The attributes of a form that sends what is filled in, once at a time. */
export const sentBy = ({ error, isPending, mutate }: Sender) => ({ error, onSubmit: () => !isPending && mutate() });

/** An error that no field shows stands at the end. */
export function Form({ error, onSubmit, children }: FormProps) {
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <FormError.Provider value={error}>
      <form className={styles['form']} onSubmit={submit} onKeyDown={submitByKeys} noValidate>
        {children}
        {error instanceof Error && (
          <p className={styles['error']} role="alert">
            {error.message}
          </p>
        )}
      </form>
    </FormError.Provider>
  );
}

/** Ctrl and Enter send a form from any of its fields, also from a text of several lines. */
function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** `loras[1].url` belongs to the field `loras`. */
const belongsTo = (param: string, name: string) =>
  param === name || param.startsWith(`${name}[`) || param.startsWith(`${name}.`);

interface Described {
  label: string;
  /** The name of the field in the API, by which an error finds it. */
  name?: string;
  hint?: ReactNode;
}

function useDescription({ name, hint }: Described) {
  const id = useId();
  const error = useContext(FormError);
  const isOwn = name !== undefined && error instanceof ApiError && error.param !== null && belongsTo(error.param, name);
  const message = isOwn ? error.message : null;
  const describedBy = message !== null ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return {
    id,
    message,
    attributes: { id, 'aria-invalid': message !== null || undefined, 'aria-describedby': describedBy },
  };
}

function Frame({
  id,
  label,
  hint,
  message,
  children,
}: Described & { id: string; message: string | null; children: ReactNode }) {
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children}
      {message !== null && (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {message}
        </p>
      )}
      {message === null && hint && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}

export type TextProps = Described &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'onChange'> & {
    onChange: (value: string) => void;
    /** Shows dots instead of letters; a password field would not be a text box. */
    isSecret?: boolean;
  };

export function TextField({ label, name, hint, onChange, isSecret = false, ...rest }: TextProps) {
  const { id, message, attributes } = useDescription({ label, ...(name !== undefined && { name }), hint });
  return (
    <Frame id={id} label={label} hint={hint} message={message}>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...rest}
        {...attributes}
        className={`${styles['input']} ${isSecret ? styles['secret'] : ''}`}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  );
}

/** A field that appears when an error names it: the server asks for what is rarely needed. */
export function AskedField(props: TextProps & { name: string }) {
  const error = useContext(FormError);
  const isAsked = error instanceof ApiError && error.param === props.name;
  return isAsked || props.value !== '' ? <TextField {...props} /> : null;
}

type PasswordProps = Omit<TextProps, 'label'> & { label?: string };

export const PasswordField = ({ label = 'Password', autoComplete = 'current-password', ...rest }: PasswordProps) => (
  <TextField label={label} type="password" autoComplete={autoComplete} {...rest} />
);

export const EmailField = (props: Omit<TextProps, 'label'>) => <TextField label="E-mail" type="email" {...props} />;

type AreaProps = Described &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'onChange'> & {
    onChange: (value: string) => void;
  };

export function TextArea({ label, name, hint, onChange, ...rest }: AreaProps) {
  const { id, message, attributes } = useDescription({ label, ...(name !== undefined && { name }), hint });
  return (
    <Frame id={id} label={label} hint={hint} message={message}>
      <textarea
        {...rest}
        {...attributes}
        className={styles['input']}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  );
}

type SelectProps = Described &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'onChange'> & {
    options: readonly (readonly [value: string, label: string])[];
    onChange: (value: string) => void;
  };

export function Select({ label, name, hint, options, onChange, ...rest }: SelectProps) {
  const { id, message, attributes } = useDescription({ label, ...(name !== undefined && { name }), hint });
  return (
    <Frame id={id} label={label} hint={hint} message={message}>
      <select {...rest} {...attributes} className={styles['input']} onChange={(event) => onChange(event.target.value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  );
}

interface CheckProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Check({ label, checked, onChange, disabled = false }: CheckProps) {
  return (
    <label className={styles['check']}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

interface ChoiceProps<Value extends string> {
  legend: string;
  value: Value;
  options: readonly (readonly [value: Value, label: string])[];
  onChange: (value: Value) => void;
}

/** A few choices side by side. The arrow keys move between them, as between any radio buttons. */
export function Choice<Value extends string>({ legend, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles['choice']}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
