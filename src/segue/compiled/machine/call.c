/* Calls of compiled kernels from Python without numba.

A kernel is entered through `entry(in, out, error)`: `in` holds its arguments and `out` its result, each number in a
word of 64 bits. An array takes 5 words (owner, parent, number of items, bytes an item, address) and then its shape and
its strides in bytes, as in `segue.compiled.kinds`. The list of entries and a table that describes them are linked to
this file by `segue.compiled.link`.
*/

#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Kinds: the types of arguments and results. */

#define HEAD 5

typedef struct Kind {
    char code; /* f: float, i: int, b: bool, n: None, a: array, t: tuple, r: reference */
    PyArray_Descr *dtype;
    int ndim;
    char layout;
    int readonly;
    PyObject *same; /* class of a named tuple, or mark of a reference */
    Py_ssize_t size, words;
    PyObject *fields; /* a tuple of capsules, which keeps their kinds alive */
    struct Kind **kinds;
} Kind;

static const char KIND[] = "segue.kind";
static PyObject *ref_class, *mark_name, *address_name;

static void kind_free(PyObject *capsule) {
    Kind *kind = PyCapsule_GetPointer(capsule, KIND);
    Py_XDECREF(kind->dtype);
    Py_XDECREF(kind->same);
    Py_XDECREF(kind->fields);
    PyMem_Free(kind->kinds);
    PyMem_Free(kind);
}

static Kind **kinds_of(PyObject *capsules) {
    Py_ssize_t size = PyTuple_GET_SIZE(capsules);
    Kind **kinds = PyMem_Calloc(size + 1, sizeof(Kind *));
    if (kinds == NULL) return (Kind **)PyErr_NoMemory();
    for (Py_ssize_t k = 0; k < size; k++) {
        kinds[k] = PyCapsule_GetPointer(PyTuple_GET_ITEM(capsules, k), KIND);
        if (kinds[k] == NULL) {
            PyMem_Free(kinds);
            return NULL;
        }
    }
    return kinds;
}

static PyObject *make_kind(PyObject *module, PyObject *args) {
    const char *code, *layout = "C";
    PyObject *dtype = NULL, *same = NULL, *fields = NULL;
    int ndim = 0, readonly = 0;
    if (!PyArg_ParseTuple(args, "s|O!isiOO!:kind", &code, &PyArrayDescr_Type, &dtype, &ndim, &layout, &readonly, &same,
                          &PyTuple_Type, &fields))
        return NULL;
    Kind *kind = PyMem_Calloc(1, sizeof(Kind));
    if (kind == NULL) return PyErr_NoMemory();
    kind->code = *code;
    kind->ndim = ndim;
    kind->layout = *layout;
    kind->readonly = readonly;
    kind->dtype = (PyArray_Descr *)Py_XNewRef(dtype);
    kind->same = Py_XNewRef(same);
    kind->fields = Py_XNewRef(fields);
    kind->words = *code == 'n' ? 0 : *code == 'a' ? HEAD + 2 * ndim : 1;
    PyObject *capsule = PyCapsule_New(kind, KIND, kind_free);
    if (capsule == NULL || *code != 't') return capsule;
    kind->size = PyTuple_GET_SIZE(fields);
    kind->kinds = kinds_of(fields);
    if (kind->kinds == NULL) {
        Py_DECREF(capsule);
        return NULL;
    }
    kind->words = 0;
    for (Py_ssize_t k = 0; k < kind->size; k++) kind->words += kind->kinds[k]->words;
    return capsule;
}

static int write_array(const Kind *kind, PyObject *value, uint64_t **at) {
    if (!PyArray_Check(value)) return 0;
    PyArrayObject *array = (PyArrayObject *)value;
    if (PyArray_NDIM(array) != kind->ndim || !PyArray_ISALIGNED(array)) return 0;
    if (PyArray_DESCR(array) != kind->dtype &&
        (PyArray_DESCR(array)->kind != kind->dtype->kind || !PyArray_EquivTypes(PyArray_DESCR(array), kind->dtype)))
        return 0;
    if (kind->layout == 'C' ? !PyArray_IS_C_CONTIGUOUS(array)
                            : kind->layout == 'F' && !PyArray_IS_F_CONTIGUOUS(array))
        return 0;
    if (!kind->readonly && !PyArray_ISWRITEABLE(array)) return 0;
    uint64_t *words = *at;
    words[0] = words[1] = 0;
    words[2] = (uint64_t)PyArray_SIZE(array);
    words[3] = (uint64_t)PyArray_ITEMSIZE(array);
    words[4] = (uint64_t)(uintptr_t)PyArray_DATA(array);
    for (int k = 0; k < kind->ndim; k++) {
        words[HEAD + k] = (uint64_t)PyArray_DIM(array, k);
        words[HEAD + kind->ndim + k] = (uint64_t)PyArray_STRIDE(array, k);
    }
    *at += kind->words;
    return 1;
}

/* Write the words of a value. Return 1, 0 where its type is another one, -1 and an exception where Python raised it. */
static int write_words(const Kind *kind, PyObject *value, uint64_t **at) {
    switch (kind->code) {
    case 'a':
        return write_array(kind, value, at);
    case 'f': {
        if (!PyFloat_Check(value)) return 0;
        double number = PyFloat_AS_DOUBLE(value);
        memcpy((*at)++, &number, sizeof number);
        return 1;
    }
    case 'i': {
        long long number;
        if (PyLong_CheckExact(value) || PyArray_IsScalar(value, Int64)) {
            number = PyLong_CheckExact(value) ? PyLong_AsLongLong(value) : PyArrayScalar_VAL(value, Int64);
            if (number == -1 && PyErr_Occurred()) return -1;
        } else
            return 0;
        *(*at)++ = (uint64_t)number;
        return 1;
    }
    case 'b':
        if (!PyBool_Check(value) && !PyArray_IsScalar(value, Bool)) return 0;
        *(*at)++ = PyBool_Check(value) ? value == Py_True : PyArrayScalar_VAL(value, Bool) != 0;
        return 1;
    case 'n':
        return value == Py_None;
    case 'r': {
        if ((PyObject *)Py_TYPE(value) != ref_class) return 0;
        PyObject *mark = PyObject_GetAttr(value, mark_name);
        if (mark == NULL) return -1;
        Py_DECREF(mark); /* the class keeps all marks */
        if (mark != kind->same) return 0;
        PyObject *address = PyObject_GetAttr(value, address_name);
        if (address == NULL) return -1;
        *(*at)++ = PyLong_AsUnsignedLongLong(address);
        Py_DECREF(address);
        return PyErr_Occurred() ? -1 : 1;
    }
    case 't':
        if (!PyTuple_Check(value) || (PyObject *)Py_TYPE(value) != kind->same) return 0;
        if (PyTuple_GET_SIZE(value) != kind->size) return 0;
        for (Py_ssize_t k = 0; k < kind->size; k++) {
            int written = write_words(kind->kinds[k], PyTuple_GET_ITEM(value, k), at);
            if (written != 1) return written;
        }
        return 1;
    }
    PyErr_Format(PyExc_SystemError, "unknown kind %c", kind->code);
    return -1;
}

void segue_release(void *memory); /* in memory.c */

static void release(PyObject *capsule) {
    segue_release(PyCapsule_GetPointer(capsule, NULL));
}

/* Return the argument that an array without owner is a view of, or NULL. */
static PyObject *owner_among(PyObject *const *values, Py_ssize_t size, const char *data) {
    for (Py_ssize_t k = 0; k < size; k++) {
        PyObject *value = values[k], *found = NULL;
        if (PyArray_Check(value)) {
            npy_intp bytes = PyArray_NBYTES((PyArrayObject *)value);
            const char *start = PyArray_BYTES((PyArrayObject *)value);
            int whole = PyArray_ISCONTIGUOUS((PyArrayObject *)value);
            if (start == data || (whole && start <= data && data < start + bytes)) found = value;
        } else if (PyTuple_Check(value))
            found = owner_among(&PyTuple_GET_ITEM(value, 0), PyTuple_GET_SIZE(value), data);
        if (found != NULL) return found;
    }
    return NULL;
}

static PyObject *read_array(const Kind *kind, const uint64_t *words, PyObject *const *args, Py_ssize_t size) {
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    for (int k = 0; k < kind->ndim; k++) {
        shape[k] = (npy_intp)words[HEAD + k];
        strides[k] = (npy_intp)words[HEAD + kind->ndim + k];
    }
    void *memory = (void *)(uintptr_t)words[0];
    void *data = (void *)(uintptr_t)words[4];
    PyObject *owner = memory == NULL ? Py_XNewRef(owner_among(args, size, data)) : PyCapsule_New(memory, NULL, release);
    if (owner == NULL && PyErr_Occurred()) return NULL;
    Py_INCREF(kind->dtype);
    PyObject *array = PyArray_NewFromDescr(&PyArray_Type, kind->dtype, kind->ndim, shape, strides, data,
                                           kind->readonly ? 0 : NPY_ARRAY_WRITEABLE, NULL);
    if (array == NULL || (owner != NULL && PyArray_SetBaseObject((PyArrayObject *)array, owner) < 0)) {
        if (array == NULL) Py_XDECREF(owner);
        Py_XDECREF(array);
        return NULL;
    }
    if (owner != NULL) return array;
    PyObject *copy = PyArray_NewCopy((PyArrayObject *)array, NPY_KEEPORDER); /* of an array behind a reference */
    Py_DECREF(array);
    return copy;
}

static PyObject *read_words(const Kind *kind, const uint64_t *words, PyObject *const *args, Py_ssize_t size) {
    double number;
    switch (kind->code) {
    case 'f':
        memcpy(&number, words, sizeof number);
        return PyFloat_FromDouble(number);
    case 'i':
        return PyLong_FromLongLong((long long)*words);
    case 'b':
        return PyBool_FromLong(*words != 0);
    case 'n':
        Py_RETURN_NONE;
    case 'a':
        return read_array(kind, words, args, size);
    case 't': {
        PyObject *values = PyTuple_New(kind->size);
        if (values == NULL) return NULL;
        for (Py_ssize_t k = 0; k < kind->size; k++) {
            PyObject *value = read_words(kind->kinds[k], words, args, size);
            if (value == NULL) {
                Py_DECREF(values);
                return NULL;
            }
            PyTuple_SET_ITEM(values, k, value);
            words += kind->kinds[k]->words;
        }
        if (kind->same == (PyObject *)&PyTuple_Type) return values;
        PyObject *named = PyObject_Call(kind->same, values, NULL);
        Py_DECREF(values);
        return named;
    }
    }
    return PyErr_Format(PyExc_SystemError, "unknown kind %c", kind->code);
}

/* Functions. */

typedef struct {
    char *pickled;
    int32_t size;
    void *rest[2];
    int32_t allocated;
} Error;

typedef int32_t (*Entry)(const uint64_t *in, uint64_t *out, Error **error);

extern const Entry segue_entries[];
extern const uint64_t segue_entry_count;
extern const char segue_table[];
extern const uint64_t segue_table_size;

typedef struct {
    Entry entry;
    PyObject *capsules; /* keeps the kinds alive */
    Kind **args, *result;
    Py_ssize_t size, words;
} Overload;

typedef struct {
    PyObject_HEAD vectorcallfunc call;
    PyObject *fallback;
    Py_ssize_t size;
    Overload *overloads;
} Function;

/* Raise what a kernel raised: numba keeps the class and its arguments as a pickle. */
static void raise(int32_t code, const Error *error) {
    if (code == -1 || PyErr_Occurred()) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "a kernel failed");
        return;
    }
    if (code < 1 || error == NULL || error->allocated > 0) {
        PyErr_Format(PyExc_SystemError, "a kernel failed with code %d", (int)code);
        return;
    }
    PyObject *pickle = PyImport_ImportModule("pickle");
    if (pickle == NULL) return;
    PyObject *raised = PyObject_CallMethod(pickle, "loads", "y#", error->pickled, (Py_ssize_t)error->size);
    Py_DECREF(pickle);
    PyObject *class, *args, *place;
    if (raised != NULL && PyArg_ParseTuple(raised, "OOO", &class, &args, &place)) {
        if (args == Py_None)
            PyErr_SetNone(class);
        else
            PyErr_SetObject(class, args);
    }
    Py_XDECREF(raised);
}

#define ON_STACK 1024

static PyObject *run(const Overload *overload, uint64_t *in, PyObject *const *args) {
    uint64_t few[ON_STACK], *out = few;
    Error *error = NULL;
    if (overload->result->words > ON_STACK) out = PyMem_Calloc(overload->result->words, sizeof(uint64_t));
    if (out == NULL) return PyErr_NoMemory();
    PyThreadState *state = PyEval_SaveThread();
    int32_t code = overload->entry(in, out, &error);
    PyEval_RestoreThread(state);
    PyObject *result = NULL;
    if (code == 0 || code == -2)
        result = read_words(overload->result, out, args, overload->size);
    else
        raise(code, error);
    if (out != few) PyMem_Free(out);
    return result;
}

static PyObject *function_call(PyObject *self, PyObject *const *args, size_t flags, PyObject *names) {
    Function *function = (Function *)self;
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (names != NULL && PyTuple_GET_SIZE(names) > 0) {
        PyErr_SetString(PyExc_TypeError, "kernels take no arguments by name");
        return NULL;
    }
    uint64_t few[ON_STACK];
    for (Py_ssize_t k = 0; k < function->size; k++) {
        const Overload *overload = &function->overloads[k];
        if (overload->size != count) continue;
        uint64_t *in = overload->words > ON_STACK ? PyMem_Malloc(overload->words * sizeof(uint64_t)) : few, *at = in;
        if (in == NULL) return PyErr_NoMemory();
        int written = 1;
        for (Py_ssize_t j = 0; j < count && written == 1; j++) written = write_words(overload->args[j], args[j], &at);
        PyObject *result = written == 1 ? run(overload, in, args) : NULL;
        if (in != few) PyMem_Free(in);
        if (written != 0) return result;
    }
    return PyObject_Vectorcall(function->fallback, args, count, NULL);
}

static void function_free(PyObject *self) {
    Function *function = (Function *)self;
    PyObject_GC_UnTrack(self);
    for (Py_ssize_t k = 0; k < function->size; k++) {
        Py_XDECREF(function->overloads[k].capsules);
        PyMem_Free(function->overloads[k].args);
    }
    PyMem_Free(function->overloads);
    Py_XDECREF(function->fallback);
    Py_TYPE(self)->tp_free(self);
}

static int function_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((Function *)self)->fallback);
    return 0;
}

static int function_clear(PyObject *self) { return 0; }

static PyTypeObject FunctionType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "segue.compiled.Function",
    .tp_basicsize = sizeof(Function),
    .tp_dealloc = function_free,
    .tp_vectorcall_offset = offsetof(Function, call),
    .tp_call = PyVectorcall_Call,
    .tp_traverse = function_traverse,
    .tp_clear = function_clear,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "A kernel: runs the machine code for the types of its arguments, or calls the fallback.",
};

/* function(fallback, ((entry, (kind, ..., kind of the result)), ...)) */
static PyObject *make_function(PyObject *module, PyObject *args) {
    PyObject *fallback, *overloads;
    if (!PyArg_ParseTuple(args, "OO!:function", &fallback, &PyTuple_Type, &overloads)) return NULL;
    Function *function = PyObject_GC_New(Function, &FunctionType);
    if (function == NULL) return NULL;
    function->call = function_call;
    function->fallback = Py_NewRef(fallback);
    function->size = 0;
    function->overloads = PyMem_Calloc(PyTuple_GET_SIZE(overloads) + 1, sizeof(Overload));
    PyObject_GC_Track((PyObject *)function);
    for (Py_ssize_t k = 0; function->overloads != NULL && k < PyTuple_GET_SIZE(overloads); k++) {
        Overload *overload = &function->overloads[k];
        unsigned long long index;
        PyObject *capsules;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(overloads, k), "KO!", &index, &PyTuple_Type, &capsules)) goto failed;
        if (index >= segue_entry_count || PyTuple_GET_SIZE(capsules) == 0) {
            PyErr_SetString(PyExc_ValueError, "no such entry");
            goto failed;
        }
        overload->args = kinds_of(capsules);
        if (overload->args == NULL) goto failed;
        overload->entry = segue_entries[index];
        overload->capsules = Py_NewRef(capsules);
        overload->size = PyTuple_GET_SIZE(capsules) - 1;
        overload->result = overload->args[overload->size];
        for (Py_ssize_t j = 0; j < overload->size; j++) overload->words += overload->args[j]->words;
        function->size++;
    }
    if (function->overloads != NULL) return (PyObject *)function;
    PyErr_NoMemory();
failed:
    Py_DECREF(function);
    return NULL;
}

static PyObject *table(PyObject *module, PyObject *unused) {
    return PyBytes_FromStringAndSize(segue_table, (Py_ssize_t)segue_table_size);
}

static PyObject *set_reference(PyObject *module, PyObject *class) {
    Py_XSETREF(ref_class, Py_NewRef(class));
    Py_RETURN_NONE;
}

/* References: the words of a named tuple and a key that is equal for tuples of one class with fields of equal types. */

#define ORDER_AND_ACCESS (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE)

typedef struct {
    uint64_t *words, *key; /* NULL while they are counted */
    Py_ssize_t size, key_size;
} Packed;

static void put(Packed *packed, uint64_t word) {
    if (packed->words != NULL) packed->words[packed->size] = word;
    packed->size++;
}

static void put_key(Packed *packed, uint64_t word) {
    if (packed->key != NULL) packed->key[packed->key_size] = word;
    packed->key_size++;
}

/* Return 0, or -1 for a value that only Python's own way of packing knows. */
static int pack_value(PyObject *value, Packed *packed) {
    if (PyArray_CheckExact(value)) {
        PyArrayObject *array = (PyArrayObject *)value;
        int ndim = PyArray_NDIM(array);
        PyArray_Descr *dtype = PyArray_DESCR(array);
        if (dtype->type_num >= NPY_OBJECT || PyArray_ISBYTESWAPPED(array)) return -1;
        put(packed, 0);
        put(packed, 0);
        put(packed, (uint64_t)PyArray_SIZE(array));
        put(packed, (uint64_t)PyArray_ITEMSIZE(array));
        put(packed, (uint64_t)(uintptr_t)PyArray_DATA(array));
        for (int k = 0; k < ndim; k++) put(packed, (uint64_t)PyArray_DIM(array, k));
        for (int k = 0; k < ndim; k++) put(packed, (uint64_t)PyArray_STRIDE(array, k));
        put_key(packed, ((uint64_t)'a' << 56) | ((uint64_t)dtype->type_num << 40) | ((uint64_t)ndim << 32) |
                            (uint64_t)(PyArray_FLAGS(array) & ORDER_AND_ACCESS));
        return 0;
    }
    if (PyTuple_Check(value)) {
        put_key(packed, (uint64_t)(uintptr_t)Py_TYPE(value));
        put_key(packed, (uint64_t)PyTuple_GET_SIZE(value));
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(value); k++)
            if (pack_value(PyTuple_GET_ITEM(value, k), packed) < 0) return -1;
        return 0;
    }
    if (PyBool_Check(value)) {
        put(packed, value == Py_True);
        put_key(packed, 'b');
        return 0;
    }
    if (PyLong_CheckExact(value)) {
        uint64_t number = PyLong_AsUnsignedLongLongMask(value);
        if (PyErr_Occurred()) return -1;
        put(packed, number);
        put_key(packed, 'i');
        return 0;
    }
    if (PyFloat_Check(value)) {
        double number = PyFloat_AS_DOUBLE(value);
        uint64_t word;
        memcpy(&word, &number, sizeof word);
        put(packed, word);
        put_key(packed, 'f');
        return 0;
    }
    return -1;
}

static PyObject *pack(PyObject *module, PyObject *value) {
    Packed packed = {NULL, NULL, 0, 0};
    if (pack_value(value, &packed) < 0) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    PyObject *words = PyBytes_FromStringAndSize(NULL, packed.size * sizeof(uint64_t));
    PyObject *key = PyBytes_FromStringAndSize(NULL, packed.key_size * sizeof(uint64_t));
    if (words == NULL || key == NULL) {
        Py_XDECREF(words);
        Py_XDECREF(key);
        return NULL;
    }
    /* the bytes of a bytes object are aligned to its head, which has whole words */
    packed = (Packed){(uint64_t *)PyBytes_AS_STRING(words), (uint64_t *)PyBytes_AS_STRING(key), 0, 0};
    pack_value(value, &packed);
    return Py_BuildValue("NNK", words, key, (unsigned long long)(uintptr_t)PyBytes_AS_STRING(words));
}

static PyMethodDef methods[] = {
    {"kind", make_kind, METH_VARARGS, "kind(code, dtype, ndim, layout, readonly, same, fields): a type of values."},
    {"function", make_function, METH_VARARGS, "function(fallback, overloads): what Python calls."},
    {"table", table, METH_NOARGS, "Return the description of all entries."},
    {"pack", pack, METH_O, "pack(tuple): its words as bytes, a key of its type, and the words' address; or None."},
    {"set_reference", set_reference, METH_O, "Set the class of references."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_machine", "Machine code of Segue's kernels.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__machine(void) {
    import_array();
    mark_name = PyUnicode_InternFromString("mark");
    address_name = PyUnicode_InternFromString("address");
    if (mark_name == NULL || address_name == NULL || PyType_Ready(&FunctionType) < 0) return NULL;
    return PyModule_Create(&definition);
}
