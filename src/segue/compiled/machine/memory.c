/* The memory that kernels allocate: the few functions of numba's runtime that their machine code calls. */

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef void (*Destructor)(void *data, size_t size, void *info);

/* Numba's code knows the layout of this head of an array's memory and counts references in it. */
typedef struct {
    atomic_size_t count;
    Destructor destructor;
    void *info;
    void *data;
    size_t size;
    void *allocator;
} Owner;

void *NRT_Allocate(size_t size) { return malloc(size); }

void NRT_Free(void *data) { free(data); }

static Owner *owner_new(size_t head, size_t size, size_t align) {
    /* at least one more byte, so that no address is null and none belongs to two arrays */
    if (size > SIZE_MAX / 2) return NULL;
    char *memory = malloc(head + size + align + 1);
    if (memory == NULL) return NULL;
    Owner *owner = (Owner *)memory;
    uintptr_t data = (uintptr_t)memory + head;
    if (align > 1) data += (align - data % align) % align;
    atomic_init(&owner->count, 1);
    owner->destructor = NULL;
    owner->info = owner->allocator = NULL;
    owner->data = (void *)data;
    owner->size = size;
    return owner;
}

Owner *NRT_MemInfo_alloc(size_t size) { return owner_new(sizeof(Owner), size, 16); }

Owner *NRT_MemInfo_alloc_aligned(size_t size, unsigned align) { return owner_new(sizeof(Owner), size, align); }

static void free_varying(void *data, size_t size, void *info) {
    if (info != NULL) ((Destructor)info)(data, size, NULL);
    free(data);
}

Owner *NRT_MemInfo_new_varsize_dtor(size_t size, Destructor destructor) {
    Owner *owner = owner_new(sizeof(Owner), 0, 16);
    if (owner == NULL) return NULL;
    owner->data = malloc(size + 1);
    if (owner->data == NULL) {
        free(owner);
        return NULL;
    }
    owner->size = size;
    owner->destructor = free_varying;
    owner->info = (void *)destructor;
    return owner;
}

void *NRT_MemInfo_varsize_realloc(Owner *owner, size_t size) {
    void *data = realloc(owner->data, size + 1);
    if (data == NULL) return NULL;
    owner->data = data;
    owner->size = size;
    return data;
}

void NRT_MemInfo_call_dtor(Owner *owner) {
    if (owner->destructor != NULL) owner->destructor(owner->data, owner->size, owner->info);
    free(owner);
}

/* Write the strides of a reshaped array and return 1, or return 0 where it has to be copied: here if not in C order. */
int numba_attempt_nocopy_reshape(intptr_t ndim, const intptr_t *shape, const intptr_t *strides, intptr_t new_ndim,
                                 const intptr_t *new_shape, intptr_t *new_strides, intptr_t item, int columns_first) {
    intptr_t expected = item;
    if (columns_first) return 0;
    for (intptr_t k = ndim - 1; k >= 0; k--) {
        if (shape[k] != 1 && strides[k] != expected) return 0;
        expected *= shape[k];
    }
    expected = item;
    for (intptr_t k = new_ndim - 1; k >= 0; k--) {
        new_strides[k] = expected;
        expected *= new_shape[k];
    }
    return 1;
}

/* Give up one reference to memory. */
void segue_release(void *memory) {
    Owner *owner = memory;
    if (atomic_fetch_sub(&owner->count, 1) == 1) NRT_MemInfo_call_dtor(owner);
}
